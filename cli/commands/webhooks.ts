import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { answerOf, type Client, type Schemas } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { usage } from '../errors.ts';
import { defineEndpoints } from '../events/endpoints.ts';
import { numberFrom } from '../numbers.ts';
import { separated } from '../several.ts';
import { oneLine } from '../texts.ts';

type Event = Schemas['Event'];
type Options = { forward: string; types?: string[]; since: 'latest' | number; interval: number };

const PAUSE_MS = 5_000;
const TIME_LIMIT_MS = 15_000;

/** `exposure webhooks listen`, and the commands of endpoints */
export const define: Define = (command, act) => {
  const listen: Command = command
    .command('listen')
    .description(
      'send the events of the organization to a program on this machine, signed as a webhook endpoint gets them',
    );
  listen
    .requiredOption('--forward <url>', 'the address of the program, such as http://localhost:3000/hook')
    .option('--types <names>', 'only events of these types, such as finding.created,incident.*', separated)
    .option(
      '--since <number>',
      'begin behind the event of this number (default: with those to come)',
      numberFrom(0, 1e15),
    )
    .option('--interval <seconds>', 'seconds between two looks', numberFrom(1, 3_600), 3)
    .addHelpText('after', EXAMPLES)
    .action(
      act(async (context, { since, ...options }: Omit<Options, 'since'> & { since?: number }) => {
        await forward(context, { ...options, since: since ?? 'latest' });
        return undefined;
      }),
    );
  defineEndpoints(command, act);
};

const EXAMPLES = `
The secret of the signatures is that of EXPOSURE_WEBHOOK_SECRET, or a new one that is shown.

Examples:
  exposure webhooks listen --forward http://localhost:3000/hook
  exposure webhooks listen --forward http://localhost:3000/hook --types "finding.*" --since 0`;

/** Sends each event until the program takes it, in order, as the service does. */
async function forward(context: Context, { forward: url, types, since: from, interval }: Options): Promise<void> {
  const to = localUrl(url);
  const secret = secretOf(context);
  const client = await context.client();
  for (let since = from; ; ) {
    const { data, next, more } = await read(client, since, types);
    for (const event of data) await deliver(context, { event, to, secret });
    since = next;
    if (!more) await sleep(interval * 1_000, undefined, { signal: context.signal });
    context.signal.throwIfAborted();
  }
}

const read = (client: Client, since: Options['since'], types: string[] | undefined) =>
  answerOf(client.GET('/api/v1/events', { params: { query: { since, limit: 100, ...(types && { types }) } } }));

/** @throws usage for another machine: events would go there unencrypted, or to a stranger */
function localUrl(text: string): URL {
  const url = URL.parse(text);
  const isLocal = url && /^https?:$/.test(url.protocol) && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (!isLocal)
    throw usage(
      '--forward must be an address of this machine, such as http://localhost:3000/hook.',
      'Events for other machines are sent by a webhook endpoint: exposure webhooks add ADDRESS',
    );
  return url;
}

function secretOf({ env, note }: Context): string {
  const given = env.EXPOSURE_WEBHOOK_SECRET;
  if (given !== undefined && /^whsec_[A-Za-z0-9+/=]{24,}$/.test(given)) return given;
  if (given !== undefined) throw usage('EXPOSURE_WEBHOOK_SECRET must be whsec_ and a key in Base64.');
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  note(`Events are signed with ${secret}`, 'done');
  return secret;
}

type Delivery = { event: Event; to: URL; secret: string };

async function deliver(context: Context, { event, to, secret }: Delivery): Promise<void> {
  for (;;) {
    const problem = await sent({ event, to, secret });
    const line = `${event.type}  ${oneLine(event.subject)}`;
    if (problem === undefined) return context.note(line, 'done');
    context.note(`${line}: ${problem} It is sent again in ${PAUSE_MS / 1_000} seconds.`, 'failed');
    await sleep(PAUSE_MS, undefined, { signal: context.signal });
  }
}

/** Sends an event by Standard Webhooks. @returns why the program did not take it */
async function sent({ event, to, secret }: Delivery): Promise<string | undefined> {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  try {
    const { ok, status } = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal });
    return ok ? undefined : `the program answers ${status}.`;
  } catch {
    return 'the program does not answer.';
  }
}
