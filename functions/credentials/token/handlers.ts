import { TOKEN_SECONDS } from '#shared/platform/auth/access-token.ts';
import { publicKeys } from '#shared/platform/auth/key-set.ts';
import { signAccessToken } from '#shared/platform/auth/signing.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { authenticateClient } from './client.ts';
import { assertGrantType, grant } from './grant.ts';
import type { tokenRoutes } from './routes.ts';

export const tokenHandlers: Handlers<typeof tokenRoutes> = {
  async issueToken(call) {
    const { connections, body } = call;
    assertGrantType(body.grant_type);
    const client = await authenticateClient(call);
    const { claims, scope } = grant(client, body.scope);
    const access_token = await signAccessToken(connections, claims);
    return { access_token, token_type: 'Bearer', expires_in: TOKEN_SECONDS, scope };
  },

  async getKeySet({ connections }) {
    const keys = await publicKeys(connections.dynamo);
    return {
      keys: keys.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid, x }) as const),
    };
  },
};
