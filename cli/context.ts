import { once } from 'node:events';
import picocolors from 'picocolors';
import { type Client, openClient, openSender, type Send } from './client.ts';
import { type Access, accessOf } from './credentials.ts';
import { usage } from './errors.ts';
import { shownText } from './texts.ts';
import { VERSION } from './version.ts';

/** The options that every command takes. */
export type CommonOptions = { profile?: string; url?: string; json?: boolean; color?: boolean; quiet?: boolean };
type Env = Readonly<Record<string, string | undefined>>;
/** How a message looks. */
type Mark = 'done' | 'failed' | 'warning' | 'aside';
type Colours = ReturnType<typeof picocolors.createColors>;

/** The world of a command. */
export type Context = {
  env: Env;
  options: CommonOptions;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Colours of standard output. */
  colours: Colours;
  /** Columns of the terminal at standard output; of a pipe: undefined. */
  width: number | undefined;
  /** A person can answer questions. */
  isInteractive: boolean;
  /** Data, to standard output. */
  print(text: string): void;
  /** Long data, as fast as its reader takes it. */
  write(text: string): Promise<void>;
  /** Progress and messages, to standard error. */
  note(text: string, mark?: Mark): void;
  /** A line that the next one replaces; nothing where no person looks on. */
  progress(text: string): void;
  access(): Promise<Access>;
  /** @param profile another one than that of the command */
  client(profile?: string): Promise<Client>;
  /** Sends a request with the credential and the retries of the client. */
  send: Send;
  /** The same to another address, without a credential or with this one. */
  sendTo(url: string, token?: string): Send;
  /** A client of another address, without a credential or with this one. */
  anybody(url: string, token?: string): Client;
};

const RETRY_SECONDS = 60;

export function makeContext(env: Env, options: CommonOptions, signal: AbortSignal): Context {
  const { stdin, stdout, stderr } = process;
  const isLive = stderr.isTTY === true && env.CI === undefined && !options.quiet && env.TERM !== 'dumb';
  let isLineOpen = false;
  const write = (text: string) => {
    stderr.write(`${isLineOpen ? '\r\u001b[K' : ''}${text}`);
    isLineOpen = false;
  };
  const noteColours = picocolors.createColors(hasColours(env, options, stderr.isTTY));
  const note = (text: string, mark?: Mark) => {
    if (!options.quiet) write(`${marked(noteColours, shownText(text), mark)}\n`);
  };
  return {
    env,
    options,
    signal,
    colours: picocolors.createColors(hasColours(env, options, stdout.isTTY)),
    width: stdout.isTTY ? stdout.columns : undefined,
    isInteractive: stdin.isTTY === true && isLive,
    print: (text) => void stdout.write(`${text}\n`),
    async write(text) {
      if (!stdout.write(text)) await once(stdout, 'drain');
    },
    note,
    progress(text) {
      if (!isLive) return;
      write(shownText(text));
      isLineOpen = text !== '';
    },
    ...connected({ env, options, signal, note }),
  };
}

type Connected = Pick<Context, 'access' | 'client' | 'send' | 'sendTo' | 'anybody'>;

/** The ways to the service. */
function connected({ env, options, signal, note }: Pick<Context, 'env' | 'options' | 'signal' | 'note'>): Connected {
  const retrySeconds = Number(env.EXPOSURE_RETRY_SECONDS ?? RETRY_SECONDS);
  if (!(retrySeconds >= 0)) throw usage('EXPOSURE_RETRY_SECONDS must be a number of seconds.');
  const connection = { signal, note, retrySeconds, userAgent: `exposure/${VERSION}` };
  const sendTo = (url: string, token?: string) =>
    openSender(
      { url, ...connection },
      token === undefined ? undefined : async (isRefused) => (isRefused ? undefined : token),
    );
  const anybody = (url: string, token?: string) => openClient(url, sendTo(url, token));
  let access: Promise<Access> | undefined;
  const known = () => {
    access ??= accessOf(env, options);
    return access;
  };
  return {
    access: known,
    async client(profile) {
      const { url, token } = await (profile === undefined ? known() : accessOf(env, { profile }));
      const open = anybody(url);
      return openClient(
        url,
        openSender({ url, ...connection }, (isRefused) => token(open, isRefused)),
      );
    },
    async send(request) {
      const { url, token } = await known();
      const open = anybody(url);
      return openSender({ url, ...connection }, (isRefused) => token(open, isRefused))(request);
    },
    sendTo,
    anybody,
  };
}

function marked(colours: Colours, text: string, mark: Mark | undefined): string {
  if (mark === undefined) return text;
  if (mark === 'aside') return colours.dim(text);
  const signs = { done: colours.green('✓'), failed: colours.red('✗'), warning: colours.yellow('!') };
  return `${signs[mark]} ${text}`;
}

/** https://no-color.org and https://force-color.org; a pipe has no colours. */
function hasColours(env: Env, { color }: CommonOptions, isTerminal: boolean | undefined): boolean {
  if (color === false || env.NO_COLOR) return false;
  return Boolean(env.FORCE_COLOR && env.FORCE_COLOR !== '0') || (isTerminal === true && env.TERM !== 'dumb');
}
