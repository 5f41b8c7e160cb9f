import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Anybody, answerOf, Refused } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { serviceAddress, sessionOf } from '../credentials.ts';
import { EXIT, Failure, reasonOf, usage } from '../errors.ts';
import { type Credential, changeProfiles, profilesFile, readProfiles } from '../profiles.ts';
import { whoIs } from '../who.ts';

type Options = { keyFile?: string; withKey?: boolean; browser: boolean };

/** `exposure login` */
export const define: Define = (command, act) => {
  command
    .option('--with-key', 'use an API key: a terminal asks for it, otherwise it is on standard input')
    .option('--key-file <file>', 'read an API key from a file')
    .option('--no-browser', 'show the address instead of opening a browser')
    .addHelpText('after', EXAMPLES)
    .action(act(login));
};

const EXAMPLES = `
Examples:
  exposure login --url https://exposure.example.com                        sign in with a browser, also one of another machine
  exposure login --url https://exposure.example.com --with-key < key.txt   use an API key (Administration, Keys, in the console)
  exposure login --url https://other.example.com --profile other           a second profile; --profile chooses it later`;

async function login(context: Context, options: Options): Promise<undefined> {
  const name = context.options.profile ?? context.env.EXPOSURE_PROFILE ?? 'default';
  const url = await addressFor(context, name);
  const anybody = context.anybody(url);
  const key = await keyGiven(context, options);
  const credential = key === undefined ? await inBrowser(context, anybody, options) : { kind: 'key' as const, key };
  const { name: holder, kind, organization } = await whoIs(context.anybody(url, tokenOf(credential)));
  await changeProfiles(context.env, ({ profiles }) => ({
    current: name,
    profiles: { ...profiles, [name]: { url, credential } },
  }));
  context.note(`Signed in to ${url} as ${holder} (${kind}), ${organization}.`, 'done');
  context.note(`Profile ${name}, in ${profilesFile(context.env)}`, 'aside');
  return undefined;
}

const tokenOf = (credential: Credential): string =>
  credential.kind === 'key' ? credential.key : credential.accessToken;

async function addressFor(context: Context, name: string): Promise<string> {
  const { env, options, isInteractive } = context;
  const given = options.url ?? env.EXPOSURE_URL ?? (await readProfiles(env)).profiles[name]?.url;
  if (given) return serviceAddress(given);
  if (!isInteractive) throw usage('The address of the service is missing.', 'Add --url, or set EXPOSURE_URL.');
  const { isCancel, text } = await import('@clack/prompts');
  const placeholder = 'https://exposure.example.com';
  const typed = await text({ message: 'Address of the service', placeholder, output: process.stderr });
  if (isCancel(typed)) throw new Failure(EXIT.interrupted, 'Nothing was changed.');
  return serviceAddress(typed);
}

/** The key of a file or of standard input; never of an argument, which other users of the machine can read. */
async function keyGiven(context: Context, { keyFile, withKey }: Options): Promise<string | undefined> {
  if (keyFile === undefined && !withKey) return undefined;
  const read = keyFile === undefined ? keyOfInput(context) : readFile(keyFile, 'utf8').catch(unreadable);
  const key = (await read).trim();
  if (key === '') throw usage('The key is empty.', HOW_TO_SEND);
  if (/\s/.test(key)) throw usage('The key has blanks or several lines: send the key alone.');
  return key;
}

const HOW_TO_SEND =
  'Send it as "exposure login --with-key < FILE", or call the command in a terminal, which asks for it.';

const unreadable = (error: unknown): never => {
  throw usage(`The key cannot be read: ${reasonOf(error)}`);
};

/** The key in a pipe; a person types or pastes it, and the screen shows none of it. */
async function keyOfInput({ isInteractive }: Context): Promise<string> {
  if (!process.stdin.isTTY) return textOf(process.stdin).catch(unreadable);
  if (!isInteractive) throw usage('--with-key reads the key from standard input.', HOW_TO_SEND);
  const { isCancel, password } = await import('@clack/prompts');
  const typed = await password({ message: 'API key (exk_...)', output: process.stderr });
  if (isCancel(typed)) throw new Failure(EXIT.interrupted, 'Nothing was changed.');
  return typed;
}

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
/** A service names its own interval; a request that comes too early adds so much to it (RFC 8628, section 3.5). */
const SLOWER_SECONDS = 5;

/** Signs a person in by a code that they approve in a browser (RFC 8628). */
async function inBrowser(context: Context, anybody: Anybody, { browser }: Options): Promise<Credential> {
  const client_id = `exposure on ${hostname()}`.slice(0, 60);
  const begun = await answerOf(anybody.POST('/api/v1/sign-in/device', { body: { client_id } }));
  context.note(`Open   ${begun.verification_uri}`);
  context.note(`Enter  ${begun.user_code}`);
  if (browser && context.isInteractive) openBrowser(context, begun.verification_uri_complete);
  const ends = Date.now() + begun.expires_in * 1000;
  for (let seconds = begun.interval; Date.now() < ends; ) {
    context.progress('Waiting until you approve this program there ... (Ctrl-C to stop)');
    await sleep(seconds * 1000, undefined, { signal: context.signal });
    try {
      return await sessionOf(anybody, { grant_type: DEVICE_CODE, device_code: begun.device_code, client_id });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code === 'slow_down') seconds += SLOWER_SECONDS;
      else if (error.code !== 'authorization_pending') throw refusedBecause(error);
    }
  }
  throw new Failure(EXIT.credentials, 'The code has expired.', 'Run "exposure login" again.');
}

function refusedBecause(error: Refused): Failure {
  const message = error.code === 'access_denied' ? 'The sign-in was refused in the browser.' : error.message;
  return new Failure(EXIT.credentials, message, 'Run "exposure login" again.');
}

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' };

/** A machine without a browser shows the address alone. */
function openBrowser({ env }: Context, address: string): void {
  const program = env.BROWSER ?? OPENERS[process.platform] ?? 'xdg-open';
  const child = spawn(program, [address], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
