import { type Command, Option } from 'commander';
import { answerOf, type Schemas } from '../client.ts';
import type { Act } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, type Exit, usage } from '../errors.ts';
import { separated } from '../several.ts';
import { tablePages } from '../table.ts';
import { type Matching, matchingOf, matchingOption } from './matching.ts';
import { ofPerson } from './person.ts';

const path = '/api/v1/notifications/subscriptions';
const one = `${path}/{id}` as const;
const at = (id: string) => ({ params: { path: { id } } });

const WHEN = ['at_once', 'hourly', 'daily', 'weekly'] as const;
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const FLOORS = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** `exposure notifications subscriptions|subscribe|stop|resume|remove` */
export function defineSubscriptions(command: Command, act: Act): void {
  command.command('subscriptions').description('list what notifies you').action(act(list));
  matchingOption(command.command('subscribe'))
    .description('have yourself notified of events')
    .requiredOption('--types <names>', 'events of these types, such as finding.created,incident.*', separated)
    .option('--name <name>', 'a name for you (default: the types)')
    .addOption(new Option('--floor <severity>', 'only records of this severity or worse').choices(FLOORS))
    .option('--by <channels>', 'email, inbox or both (default: inbox)', separated)
    .addOption(new Option('--when <when>', 'at once or as a digest').choices(WHEN).default('at_once'))
    .option('--at <time>', 'the local time of a daily or weekly digest', '08:00')
    .addOption(new Option('--weekday <day>', 'the day of a weekly digest').choices(WEEKDAYS).default('monday'))
    .option('--quiet-hours <hours>', 'messages wait for the end of these local hours, such as 20:00-07:00')
    .action(act(subscribe));
  command.command('stop').description('get no more messages of a subscription').argument('<id>').action(act(stop));
  command
    .command('resume')
    .description('get the messages of a subscription again')
    .argument('<id>')
    .action(act(resume));
  command.command('remove').description('remove subscriptions').argument('<ids...>').action(act(remove));
}

const COLUMNS = {
  columns: ['name', 'types', 'to.kind', 'channels', 'timing.when', 'status', 'stopped', 'id'],
  wide: ['name', 'types'],
};

async function list(context: Context): Promise<Exit> {
  const query = { paginateSize: 500 };
  const { data } = await ofPerson(context, (client) => answerOf(client.GET(path, { params: { query } })));
  if (context.options.json) context.print(JSON.stringify(data));
  else await context.write(tablePages(context, COLUMNS)(data));
  return EXIT.passed;
}

type Body = Schemas['NotificationSubscriptionCreate'];
type Wanted = Matching & {
  types: string[];
  name?: string;
  floor?: (typeof FLOORS)[number];
  by?: Body['channels'];
  when: (typeof WHEN)[number];
  at: string;
  weekday: (typeof WEEKDAYS)[number];
  quietHours?: string;
};

async function subscribe(context: Context, wanted: Wanted): Promise<Exit> {
  const { types, name, floor, by = ['inbox'], when, at: clock, weekday, quietHours } = wanted;
  const body: Body = {
    name: name ?? types.join(', '),
    types,
    matching: matchingOf(wanted),
    severityFloor: floor ?? null,
    channels: by,
    to: { kind: 'me', id: null },
    timing: { when, at: clock, weekday },
    quietHours: hoursOf(quietHours),
  };
  const made = await ofPerson(context, (client) => answerOf(client.POST(path, { body })));
  if (context.options.json) context.print(JSON.stringify(made));
  context.note(`You are notified of ${made.types.join(', ')}. The id of the subscription: ${made.id}`, 'done');
  return EXIT.passed;
}

/** @throws usage for a text that is no hours */
function hoursOf(text: string | undefined): Body['quietHours'] {
  if (text === undefined) return null;
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) throw usage(`--quiet-hours ${text} is no hours.`, 'Write 20:00-07:00.');
  return { from, to };
}

async function stop(context: Context, id: string): Promise<Exit> {
  await ofPerson(context, (client) => answerOf(client.POST(`${one}/stop`, at(id))));
  context.note('You get no more of it.', 'done');
  return EXIT.passed;
}

async function resume(context: Context, id: string): Promise<Exit> {
  await ofPerson(context, (client) => answerOf(client.POST(`${one}/resume`, at(id))));
  context.note('You get it again.', 'done');
  return EXIT.passed;
}

async function remove(context: Context, ids: string[]): Promise<Exit> {
  for (const id of ids) {
    await ofPerson(context, (client) => answerOf(client.DELETE(one, at(id))));
    context.note(`removed ${id}`);
  }
  return EXIT.passed;
}
