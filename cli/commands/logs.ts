import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { paths } from '../../dist/openapi.d.ts';
import { answerOf, type Client, type Schemas } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, type Exit, Failure, usage } from '../errors.ts';
import { fetchFile } from '../fetch-file.ts';
import { minutes, numberFrom } from '../numbers.ts';
import { separated } from '../several.ts';
import { finishedTask } from '../tasks.ts';
import { counted, oneLine } from '../texts.ts';

type Query = NonNullable<paths['/api/v1/siem/events']['get']['parameters']['query']>;
type LogEvent = Schemas['SiemEventsFound']['data'][number];
type Conditions = Pick<Query, 'from' | 'to' | 'host' | 'user' | 'sourceId' | 'alertId' | 'ruleId'> & { since?: string };

const PAGE = 500;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `exposure logs search|values|tail|export|hunt` */
export const define: Define = (command, act) => {
  withConditions(command.command('search').description('print the events that fit, newest first'))
    .option('--limit <number>', 'how many', numberFrom(1, 100_000), 50)
    .action(act(search));
  withConditions(command.command('values').description('count the values of a field'))
    .requiredOption('--field <name>', 'such as host, user or EventID')
    .option('--limit <number>', 'how many values', numberFrom(1, 1_000), 20)
    .action(act(values));
  withConditions(command.command('tail').description('print the events to come, as they arrive'))
    .option('--interval <seconds>', 'seconds between two looks', numberFrom(1, 600), 2)
    .action(act(tail));
  withFile(withConditions(command.command('export').description('write all events that fit into a file')))
    .option('--columns <names>', 'such as at,host,fields.EventID', separated)
    .action(act(exportEvents));
  withFile(withConditions(command.command('hunt').description('try a rule on the events of the past')))
    .option('--rule-file <file>', 'the text of a Sigma rule that need not be stored; --rule-id names a stored one')
    .addOption(new Option('--rules <which>', 'all stored rules: a line for each').choices(['on', 'off', 'all']))
    .action(act(hunt));
};

const withConditions = (command: Command): Command =>
  command
    .argument('[filter...]', 'such as EventID:4625 -user:svc-* "failed password" (docs/siem.md)')
    .option('--since <time>', 'so long ago, such as 30m, 24h or 7d (default: 1h)')
    .option('--from <time>', 'an RFC 3339 time, in place of --since')
    .option('--to <time>', 'an RFC 3339 time (default: now)')
    .option('--host <name>', 'the whole name of a host')
    .option('--user <name>', 'the whole name of a user')
    .option('--source-id <id>', 'a source')
    .option('--alert-id <id>', 'the events of an alert')
    .option('--rule-id <id>', 'events that a stored rule matches');

const withFile = (command: Command): Command =>
  command
    .addOption(new Option('--format <format>', 'the format of the file').choices(['jsonl', 'csv']).default('jsonl'))
    .option('--output <file>', 'the file to write (default: standard output)')
    .option('--timeout <minutes>', 'how long to wait', minutes, 60);

/** The question as the service takes it. @throws Failure for a time that is none */
function questionOf(filter: readonly string[], { from, to, host, user, sourceId, alertId, ruleId, since }: Conditions) {
  const named = { to, host, user, sourceId, alertId, ruleId, filter: filter.join(' ') || undefined };
  const begin = from ?? (since === undefined ? undefined : timeBefore(since));
  return Object.fromEntries(Object.entries({ ...named, from: begin }).filter(([, value]) => value !== undefined));
}

function timeBefore(since: string): string {
  const [, amount, unit = ''] = /^(\d{1,4})([mhd])$/.exec(since) ?? [];
  const length = UNITS[unit];
  if (!length) throw usage(`--since ${since} is no length of time.`, 'Write it as 30m, 24h or 7d.');
  return new Date(Date.now() - Number(amount) * length).toISOString();
}

async function search(context: Context, filter: string[], { limit, ...conditions }: Conditions & { limit: number }) {
  const client = await context.client();
  const question = questionOf(filter, conditions);
  let [left, cursor]: [number, string | null | undefined] = [limit, undefined];
  while (left > 0 && cursor !== null) {
    const query: Query = { ...question, limit: Math.min(left, PAGE), ...(cursor && { cursor }) };
    const found: Schemas['SiemEventsFound'] = await answerOf(client.GET('/api/v1/siem/events', { params: { query } }));
    for (const event of found.data) context.print(shownOf(context, event));
    left -= found.data.length;
    cursor = found.cursor;
  }
  return undefined;
}

type ValuesOptions = Conditions & { field: string; limit: number };

async function values(context: Context, filter: string[], { field, limit, ...conditions }: ValuesOptions) {
  const client = await context.client();
  const query = { ...questionOf(filter, conditions), field, limit };
  const found = await answerOf(client.GET('/api/v1/siem/events/values', { params: { query } }));
  if (context.options.json) context.print(JSON.stringify(found));
  else for (const { value, count } of found.values) context.print(`${String(count).padStart(9)}  ${oneLine(value)}`);
  const part = found.isComplete ? '' : `, back to ${found.reached}: choose a shorter time to count all`;
  context.note(`${counted(found.distinct, 'value')} in ${counted(found.events, 'event')}${part}`, 'aside');
  return undefined;
}

/** Events that come later than this are not seen. */
const OVERLAP_MS = 120_000;

/** Looks at the newest minutes again and again, and prints each event once. */
async function tail(
  context: Context,
  filter: string[],
  options: Conditions & { interval: number },
): Promise<undefined> {
  const client = await context.client();
  const { interval, ...conditions } = options;
  const question = questionOf(filter, conditions);
  let known = new Set((await newest(client, question)).map(({ id }) => id));
  for (;;) {
    await sleep(interval * 1_000, undefined, { signal: context.signal });
    const found = await newest(client, question);
    for (const event of found.toReversed()) if (!known.has(event.id)) context.print(shownOf(context, event));
    if (found.length === PAGE) context.note(`More than ${PAGE} events came: narrow the filter to see all.`, 'aside');
    known = new Set(found.map(({ id }) => id));
  }
}

async function newest(client: Client, question: object): Promise<readonly LogEvent[]> {
  const from = new Date(Date.now() - OVERLAP_MS).toISOString();
  const query: Query = { ...question, from, limit: PAGE };
  return (await answerOf(client.GET('/api/v1/siem/events', { params: { query } }))).data;
}

type FileOptions = Conditions & { format: 'jsonl' | 'csv'; output?: string; timeout: number };

async function exportEvents(context: Context, filter: string[], options: FileOptions & { columns?: string[] }) {
  const { columns, ...others } = options;
  const { events } = await writtenFile(context, questionOf(filter, options), { ...others, columns });
  context.note(counted(events, 'event'), 'done');
  return undefined;
}

type HuntOptions = FileOptions & { ruleFile?: string; rules?: 'on' | 'off' | 'all' };

async function hunt(context: Context, filter: string[], options: HuntOptions): Promise<Exit> {
  const { ruleFile, rules, ...others } = options;
  if ([ruleFile, options.ruleId, rules].filter((one) => one !== undefined).length !== 1)
    throw usage('A hunt tries one rule, or all.', 'Give one of --rule-file, --rule-id and --rules.');
  const question = questionOf(filter, options);
  const client = await context.client();
  const query = { ...question, rules: ruleFile === undefined ? rules : ('one' as const) };
  const estimate = await answerOf(client.GET('/api/v1/siem/events/estimate', { params: { query } }));
  context.note(`${counted(estimate.events, 'event')}, about ${counted(estimate.seconds, 'second')}`, 'aside');
  const content = ruleFile === undefined ? undefined : await readFile(ruleFile, 'utf8').catch(unreadable(ruleFile));
  const asked = { ...question, ...(content && { content }), ...(rules && { rules }) };
  const { events, looked, rules: found } = await writtenFile(context, asked, others);
  const who = found ? `${found.matched} of ${counted(found.tried, 'rule')} match` : 'matches';
  context.note(`${who} ${counted(events, 'event')} of ${looked.toLocaleString('en')}`, 'done');
  return EXIT.passed;
}

const unreadable = (file: string) => (error: NodeJS.ErrnoException) => {
  throw usage(`${file} cannot be read: ${error.code}.`);
};

type Wanted = Pick<FileOptions, 'format' | 'output' | 'timeout'> & { columns?: string[] | undefined };

/** Lets the service write the file, follows the task, and fetches the file. An interrupted wait leaves the task to the service. */
async function writtenFile(context: Context, question: object, { format, output, timeout, columns }: Wanted) {
  const client = await context.client();
  const body = { ...question, format, ...(columns && { columns }) };
  const params = { query: { waitSeconds: 0 } };
  const { taskId } = await answerOf(client.POST('/api/v1/siem/events/export', { params, body }));
  const until = Date.now() + timeout * 60_000;
  const { status, error } = await finishedTask(context, client, { id: taskId, name: 'Events', until });
  context.progress('');
  if (status !== 'succeeded') throw new Failure(EXIT.incomplete, error?.message ?? `The task ${status}.`);
  const { file } = await answerOf(client.GET('/api/v1/siem/events/export/{taskId}', { params: { path: { taskId } } }));
  if (!file) throw new Failure(EXIT.incomplete, 'The service has no file of this export.', 'Export again.');
  await fetchFile(context, file, output);
  return file;
}

/** An event: a line for people in a terminal, otherwise JSON. */
function shownOf({ options, width, colours }: Context, event: LogEvent): string {
  if (options.json || width === undefined) return JSON.stringify(event);
  const { at, severity, host, message, raw } = event;
  const time = at.slice(0, 23).replace('T', ' ');
  const rest = `${severity.padEnd(8)}  ${oneLine(host ?? '-').padEnd(16)}  ${oneLine(message || raw)}`;
  return `${colours.dim(time)}  ${rest.slice(0, Math.max(20, width - time.length - 2)).trimEnd()}`;
}
