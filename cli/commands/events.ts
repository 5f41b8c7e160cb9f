import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { paths } from '../../dist/openapi.d.ts';
import { answerOf, type Client, type Schemas } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { usage } from '../errors.ts';
import { separated } from '../several.ts';
import { oneLine } from '../texts.ts';

type Change = Schemas['Change'];
type Query = NonNullable<paths['/api/v1/changes']['get']['parameters']['query']>;
type Options = {
  entity?: Query['entity'];
  record?: boolean;
  since?: string;
  cursor?: string;
  once?: boolean;
  interval: number;
};

const INTERVAL_SECONDS = 3;
const MOST_SECONDS = 3_600;

/** `exposure events tail` */
export const define: Define = (command, act) => {
  const tail: Command = command.command('tail').description('print the changes of the organization, and those to come');
  tail
    .option('--entity <names>', 'only changes of these records, such as finding,asset', separated)
    .option('--record', 'with each change the record as it is now')
    .option(
      '--since <number>',
      'begin behind the change of this number; 0: the oldest kept (default: with the changes to come)',
    )
    .option('--cursor <file>', 'keep the place in this file, and continue there')
    .option('--once', 'end when all changes were read')
    .option('--interval <seconds>', 'seconds between two looks', Number, INTERVAL_SECONDS)
    .action(
      act(async (context, options: Options) => {
        await follow(context, options);
        return undefined;
      }),
    );
};

/** Prints changes in their order. The place is kept after they were printed: a change may come twice after a kill, and none is lost. */
async function follow(context: Context, options: Options): Promise<void> {
  const { interval, cursor, once } = options;
  if (!(interval >= 1 && interval <= MOST_SECONDS)) throw usage(`--interval must be 1 to ${MOST_SECONDS} seconds.`);
  const client = await context.client();
  for (let since = await startOf(options); ; ) {
    const { data, next, more } = await read(client, since, options);
    for (const change of data) context.print(shownOf(context, change));
    since = next;
    if (cursor !== undefined) await keep(cursor, next);
    if (once && !more) return;
    if (!more) await sleep(interval * 1000, undefined, { signal: context.signal });
    context.signal.throwIfAborted();
  }
}

function read(client: Client, since: Query['since'], { entity, record }: Options) {
  const query: Query = { since, limit: 500, ...(entity && { entity }), ...(record && { include: 'record' }) };
  return answerOf(client.GET('/api/v1/changes', { params: { query } }));
}

/** The place in the file wins over `--since`, which is where the first run begins. */
async function startOf({ since = 'latest', cursor }: Options): Promise<number | 'latest'> {
  const kept = cursor === undefined ? '' : await readFile(cursor, 'utf8').catch(absent);
  const text = kept.trim() || since;
  if (text === 'latest') return text;
  if (!/^\d{1,15}$/.test(text))
    throw usage(kept ? `${cursor} has no place of a former run.` : '--since must be a number.');
  return Number(text);
}

const absent = (error: NodeJS.ErrnoException): string => {
  if (error.code === 'ENOENT') return '';
  throw usage(`The cursor cannot be read: ${error.code}.`);
};

async function keep(file: string, place: number): Promise<void> {
  await writeFile(`${file}.new`, `${place}\n`);
  await rename(`${file}.new`, file);
}

/** A change: a line for people in a terminal, otherwise JSON. */
function shownOf({ options, width, colours }: Context, change: Change): string {
  if (options.json || width === undefined) return JSON.stringify(change);
  const { at, kind, entity, id, actor, fields } = change;
  const time = at.slice(0, 19).replace('T', ' ');
  const rest = [kind.padEnd(7), entity, Object.keys(fields).join(', '), oneLine(actor.name), id].join('  ');
  return `${colours.dim(time)}  ${rest.slice(0, width - time.length - 2).trimEnd()}`;
}
