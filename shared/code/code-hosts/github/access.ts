import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose/jwt/sign';
import { askHost, type HostAddress } from '#shared/platform/outgoing/ask.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { path } from '#shared/platform/outgoing/path.ts';
import { timeOf } from '#shared/platform/outgoing/reported-time.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { fieldAt, textAt } from '#shared/reports/readers/json.ts';
import type { AppAccess, HostAccess } from '../../integrations/secret.ts';
import { orUnexpected } from '../code-host.ts';

/** The interface of a GitHub without its proof. */
type GithubApi = Omit<HostAddress, 'headers'>;

/** https://docs.github.com/rest/about-the-rest-api/api-versions */
const VERSION = { 'x-github-api-version': '2022-11-28' };

const withToken = (api: GithubApi, token: string): HostAddress => ({
  ...api,
  headers: { ...VERSION, authorization: `Bearer ${token}` },
});

/** The interface with the organization's access. @throws HostError */
export async function openGithub(api: GithubApi, access: HostAccess): Promise<HostAddress> {
  if ('token' in access) return withToken(api, access.token);
  const { token } = await installationToken(api, access.app, {});
  return withToken(api, token);
}

/** Some repositories and rights of an installation; without them, everything that it has. */
type Extent = { repository_ids?: number[]; permissions?: Record<string, 'read' | 'write'> };

/**
 * A token of an installation, which works for an hour:
 * https://docs.github.com/rest/apps/apps#create-an-installation-access-token-for-an-app
 * @throws HostError
 */
export async function installationToken(
  api: GithubApi,
  { appId, installationId, privateKey }: AppAccess,
  extent: Extent,
): Promise<{ token: string; expiresAt: string }> {
  const app = withToken(api, await appToken(appId, privateKey));
  const tokens = path`app/installations/${installationId}/access_tokens`;
  const { body } = await askHost(app, { method: 'POST', path: tokens, body: extent });
  const [token, expiresAt] = [textAt(body, 'token'), timeOf(fieldAt(body, 'expires_at'))];
  if (!token || !expiresAt) throw new HostError('unexpected_answer', 'It answers no token for the installation.');
  return { token, expiresAt };
}

/** The name under which this service writes there: of the owner of the token, or of the app's bot. @throws HostError */
export async function loginOf(host: HostAddress, access: HostAccess): Promise<string> {
  if ('token' in access) return orUnexpected(textAt((await askHost(host, { path: 'user' })).body, 'login'));
  const { appId, privateKey } = access.app;
  const { body } = await askHost(withToken(host, await appToken(appId, privateKey)), { path: 'app' });
  return `${orUnexpected(textAt(body, 'slug'))}[bot]`;
}

/** GitHub accepts at most ten minutes; a minute on both sides is left for clocks that differ. */
const appToken = (appId: string, privateKey: string): Promise<string> => {
  const seconds = Math.floor(nowMs() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(appId)
    .setIssuedAt(seconds - 60)
    .setExpirationTime(seconds + 540)
    .sign(createPrivateKey(privateKey));
};
