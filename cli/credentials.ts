import { type Anybody, answerOf } from './client.ts';
import { EXIT, Failure, usage } from './errors.ts';
import { changeProfiles, type Profile, readProfiles } from './profiles.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Chosen = { profile?: string; url?: string };

/** The service and the way in which a command signs in there. */
export type Access = {
  url: string;
  /** The profile; undefined where the environment names the key. */
  name: string | undefined;
  kind: 'key' | 'session';
  /** @param isRefused the service refused the last one */
  token(anybody: Anybody, isRefused: boolean): Promise<string | undefined>;
};

const SIGN_IN = 'Run "exposure login --url URL", or set EXPOSURE_URL and EXPOSURE_KEY.';
/** An access token that ends so soon is renewed before it is used. */
const ENDS_SOON_MS = 30_000;

/** The environment wins over the profiles, unless the command names a profile. */
export async function accessOf(env: Env, chosen: Chosen): Promise<Access> {
  if (env.EXPOSURE_KEY && !chosen.profile) {
    const url = chosen.url ?? env.EXPOSURE_URL;
    if (!url) throw usage('EXPOSURE_KEY is set, but not the address of the service.', 'Set EXPOSURE_URL.');
    return { url: serviceAddress(url), name: undefined, kind: 'key', token: keyFrom(env.EXPOSURE_KEY.trim()) };
  }
  const { current, profiles } = await readProfiles(env);
  const name = chosen.profile ?? env.EXPOSURE_PROFILE ?? current;
  const profile = name === undefined ? undefined : profiles[name];
  if (name !== undefined && !profile)
    throw new Failure(EXIT.credentials, `There is no profile ${name}.`, `Run "exposure login --profile ${name}".`);
  if (!name || !profile) throw new Failure(EXIT.credentials, 'You are not signed in.', SIGN_IN);
  if (chosen.url && serviceAddress(chosen.url) !== profile.url)
    throw usage(
      `The profile ${name} is of ${profile.url}: its credential goes nowhere else.`,
      'Leave --url out, or choose another --profile.',
    );
  const { credential, url } = profile;
  const token = credential.kind === 'key' ? keyFrom(credential.key) : sessionToken(env, name);
  return { url, name, kind: credential.kind, token };
}

/** A key that was refused once is refused always. */
const keyFrom =
  (key: string): Access['token'] =>
  async (_, isRefused) =>
    isRefused ? undefined : key;

/**
 * The access token of a person's session. A refresh token works once, and a second use ends the session: so one process at a
 * time renews it, and the others read what it wrote.
 */
function sessionToken(env: Env, name: string): Access['token'] {
  let last: string | undefined;
  const isFresh = ({ credential }: Profile): boolean =>
    credential.kind === 'session' &&
    credential.accessToken !== last &&
    Date.parse(credential.expiresAt) - Date.now() > ENDS_SOON_MS;
  return async (anybody, isRefused) => {
    const known = (await readProfiles(env)).profiles[name];
    if (!isRefused) last = undefined;
    const usable = known && isFresh(known) ? known : await renew(env, { name, anybody, isFresh });
    last = usable.credential.kind === 'session' ? usable.credential.accessToken : usable.credential.key;
    return last;
  };
}

type Renewal = { name: string; anybody: Anybody; isFresh: (profile: Profile) => boolean };

async function renew(env: Env, { name, anybody, isFresh }: Renewal): Promise<Profile> {
  const { profiles } = await changeProfiles(env, async (now) => {
    const profile = now.profiles[name];
    if (profile?.credential.kind !== 'session' || isFresh(profile)) return now;
    const { refreshToken } = profile.credential;
    const credential = await sessionOf(anybody, { grant_type: 'refresh_token', refresh_token: refreshToken });
    return { ...now, profiles: { ...now.profiles, [name]: { ...profile, credential } } };
  });
  const renewed = profiles[name];
  if (!renewed) throw new Failure(EXIT.credentials, `The profile ${name} was removed meanwhile.`, SIGN_IN);
  return renewed;
}

type Grant = {
  grant_type: string;
  refresh_token?: string;
  device_code?: string;
  client_id?: string;
  subject_token?: string;
  subject_token_type?: string;
  organization_id?: string;
};

/** The session that a grant opens or continues. */
export async function sessionOf(anybody: Anybody, grant: Grant) {
  const body = { ...grant, refresh_token_in: 'body' as const };
  const answer = await answerOf(anybody.POST('/api/v1/oauth/token', { body }));
  const expiresAt = new Date(Date.now() + answer.expires_in * 1000).toISOString();
  const refreshToken = answer.refresh_token ?? '';
  return { kind: 'session' as const, refreshToken, accessToken: answer.access_token, expiresAt };
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** A service on this machine, such as that of `npm start`, speaks no TLS. */
function withScheme(text: string): URL | null {
  const url = URL.parse(`https://${text}`);
  return url && LOOPBACK.includes(url.hostname) ? URL.parse(`http://${text}`) : url;
}

/** The address of a service, without its path. Credentials go over HTTPS, or stay on this machine. */
export function serviceAddress(text: string): string {
  const url = /^https?:/.test(text) ? URL.parse(text) : withScheme(text);
  if (!url) throw usage(`${text} is no address of a service.`, 'Send one such as https://exposure.example.com.');
  if (url.protocol !== 'https:' && !LOOPBACK.includes(url.hostname))
    throw usage(`${url.origin} would carry your credential unencrypted.`, 'Use the https:// address of the service.');
  return url.origin;
}
