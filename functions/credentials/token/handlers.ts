import { PERSON_TOKEN_SECONDS } from '#shared/people/session.ts';
import { type Claims, TOKEN_SECONDS } from '#shared/platform/auth/access-token.ts';
import { publicKeys } from '#shared/platform/auth/key-set.ts';
import { signAccessToken } from '#shared/platform/auth/signing.ts';
import type { Handlers, PublicCall } from '#shared/platform/http/route.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { accessOrganization } from './access-organization.ts';
import { authenticateClient } from './client.ts';
import { sessionCookie, tokenInCookie } from './cookie.ts';
import { ACCESS_TOKEN_TYPE, exchangeIdentity } from './exchange.ts';
import { assertGrantType, DEVICE_GRANT, EXCHANGE_GRANT, grant } from './grant.ts';
import { exchangeCode, exchangeDevice, refresh } from './person.ts';
import type { tokenRoutes } from './routes.ts';

type TokenCall = PublicCall<typeof tokenRoutes.issueToken>;

export const tokenHandlers: Handlers<typeof tokenRoutes> = {
  async issueToken(call) {
    switch (assertGrantType(call.body.grant_type)) {
      case 'authorization_code':
        return answerPerson(call, await exchangeCode(worldOf(call), call.body, deviceOf(call)));
      case 'refresh_token':
        return answerPerson(call, await refresh(worldOf(call), refreshTokenOf(call), call.body.organization_id));
      case DEVICE_GRANT:
        return answerPerson(call, await exchangeDevice(worldOf(call), call.body, deviceOf(call)));
      case EXCHANGE_GRANT: {
        const tokens = await answer(call, await exchangeIdentity(call));
        return { ...tokens, issued_token_type: ACCESS_TOKEN_TYPE };
      }
      case 'client_credentials': {
        const { claims, scope } = grant(await authenticateClient(call), call.body.scope);
        return answer(call, { claims, scope, seconds: TOKEN_SECONDS });
      }
    }
  },

  accessOrganization,

  async getKeySet({ connections }) {
    const keys = await publicKeys(connections.dynamo);
    return {
      keys: keys.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid, x }) as const),
    };
  },
};

type Granted = { claims: Claims; scope: string; seconds: number };

async function answer({ connections }: TokenCall, { claims, scope, seconds }: Granted) {
  const access_token = await signAccessToken(connections, claims, seconds);
  return { access_token, token_type: 'Bearer' as const, expires_in: seconds, scope };
}

/** A browser gets the refresh token in a cookie, and any other program in the answer. */
async function answerPerson(call: TokenCall, { claims, refreshToken }: { claims: Claims; refreshToken: string }) {
  const scope = 'role' in claims ? `role:${claims.role}` : '';
  const tokens = await answer(call, { claims, scope, seconds: PERSON_TOKEN_SECONDS });
  const isProgram = call.body.grant_type === DEVICE_GRANT;
  if (isProgram || call.body.refresh_token_in === 'body') return { ...tokens, refresh_token: refreshToken };
  call.setCookies.push(sessionCookie(refreshToken));
  return tokens;
}

const worldOf = ({ connections: { dynamo }, cause }: TokenCall) => ({ dynamo, cause });

const deviceOf = ({ request: { headers, ip } }: TokenCall) => ({
  device: headers['user-agent'] ?? 'unknown',
  remoteAddress: ip,
});

function refreshTokenOf({ body, request }: TokenCall): string {
  if (body.refresh_token !== undefined) return body.refresh_token;
  const token = tokenInCookie(request);
  // no script of the page reads what the cookie keeps from it
  if (token !== undefined && body.refresh_token_in === 'body')
    throw new ApiError(
      'invalid_request',
      'A session in a cookie keeps its refresh token there: omit refresh_token_in.',
    );
  if (token !== undefined) return token;
  throw new ApiError(
    'invalid_grant',
    'There is no session: send refresh_token, or the cookie with a JSON body. Sign in again.',
  );
}
