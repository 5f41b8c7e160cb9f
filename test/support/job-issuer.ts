import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { newId } from '#shared/platform/runtime/ids.ts';
import { startServer } from './code-hosts/server.ts';

const SECONDS = 300;
type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

/** The issuer of identity tokens of a self-hosted GitHub and a self-managed GitLab at one address, which signs and serves its keys. */
export async function startJobIssuer(audience: string) {
  const keys: { kid: string; private: KeyPair['privateKey']; public: object }[] = [];
  async function rotate() {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const kid = `key-${keys.length}`;
    keys.push({ kid, private: privateKey, public: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } });
  }
  await rotate();
  let served = 1;
  const server = await startServer(({ path }) => {
    const issuer = `${server.url}${path.startsWith('/_services/token') ? '/_services/token' : ''}`;
    if (path.endsWith('/.well-known/openid-configuration')) return { body: { issuer, jwks_uri: `${issuer}/jwks` } };
    if (path.endsWith('/jwks')) return { body: { keys: keys.slice(-served).map((key) => key.public) } };
    return { status: 404 };
  });

  const signed = (issuer: string, claims: object, more: { aud?: string; secondsAgo?: number } = {}) => {
    const at = Math.floor(Date.now() / 1000) - (more.secondsAgo ?? 0);
    const key = keys.at(-1);
    if (!key) throw new Error('there is a key');
    return new SignJWT({ sub: 'repo:acme/shop', jti: newId(), ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(more.aud ?? audience)
      .setIssuedAt(at)
      .setExpirationTime(at + SECONDS)
      .sign(key.private);
  };

  return {
    url: server.url,
    asked: server.asked,
    stop: server.stop,
    /** New keys sign and are served; `keeps`: the former ones are still served. */
    async rotate({ keeps = 0 } = {}) {
      await rotate();
      served = 1 + keeps;
    },
    /** A token of a job of `acme/shop`, as GitHub makes it for a push to main unless the claims say otherwise. */
    github: (claims: object = {}, more?: { aud?: string; secondsAgo?: number }) =>
      signed(
        `${server.url}/_services/token`,
        {
          repository: 'acme/shop',
          repository_id: '4711',
          ref: 'refs/heads/main',
          sha: 'a'.repeat(40),
          event_name: 'push',
          ...claims,
        },
        more,
      ),
    gitlab: (claims: object = {}, more?: { aud?: string; secondsAgo?: number }) =>
      signed(
        server.url,
        {
          project_path: 'acme/shop',
          project_id: '42',
          ref: 'main',
          ref_type: 'branch',
          ref_path: 'refs/heads/main',
          pipeline_source: 'push',
          sha: 'a'.repeat(40),
          ...claims,
        },
        more,
      ),
  };
}
