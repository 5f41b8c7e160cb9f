import { isIP } from 'node:net';
import { Option } from 'commander';
import { answerOf, type Client, type Schemas } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { usage } from '../errors.ts';

type Create = Schemas['CreateEngagementBody'];
type TaskType = Create['taskTypes'][number];
type Options = { type?: TaskType[]; engagement?: string; title?: string; zone?: string };

const TYPES: readonly TaskType[] = [
  'network',
  'web',
  'sast',
  'dependencies',
  'secrets',
  'container',
  'cloud',
  'configuration',
  'tls',
];
const OF_CODE: readonly TaskType[] = ['sast', 'dependencies', 'secrets'];

/** `exposure scan start` */
export const define: Define = (command, act) => {
  command
    .command('start [target...]')
    .description('scan targets, or run an engagement again')
    .addOption(new Option('--type <type...>', 'what to look for').choices(TYPES))
    .option('--engagement <id>', 'run this engagement now, instead of targets')
    .option('--title <text>', 'the title of the engagement')
    .option('--zone <zone>', 'the zone of the targets')
    .addHelpText('after', EXAMPLES)
    .action(act(start));
};

const EXAMPLES = `
Examples:
  exposure scan start 10.0.0.0/24 --type network tls
  exposure scan start https://shop.example.com --type web
  exposure task wait "$(exposure scan start --engagement ID)"`;

/** Prints the id of the task, for "exposure task wait". */
async function start(context: Context, targets: string[], options: Options): Promise<undefined> {
  const client = await context.client();
  const queued =
    options.engagement === undefined ? await created(client, targets, options) : await run(client, options.engagement);
  context.print(context.options.json ? JSON.stringify(queued) : queued.taskId);
  const { resource } = queued;
  context.note(
    `The scan was queued${resource ? ` (${resource.type} ${resource.id})` : ''}. Its scanner tasks follow the schedule and the scanners.`,
  );
  return undefined;
}

const run = (client: Client, id: string) =>
  answerOf(client.POST('/api/v1/validation-operations/engagements/{id}/run', { params: { path: { id } } }));

function created(client: Client, values: readonly string[], { type = [], title, zone }: Options) {
  if (values.length === 0) throw usage('Name the targets, or an engagement with --engagement.');
  if (type.length === 0) throw usage('Name what to look for with --type.', `One or more of ${TYPES.join(', ')}.`);
  const isCode = type.every((one) => OF_CODE.includes(one));
  const targets = values.map((value) => ({ type: targetType(value, isCode), value, zone }));
  const body: Create = {
    title: title ?? `Scan of ${values.slice(0, 3).join(', ')}`.slice(0, 120),
    kind: kindOf(type, isCode),
    targets,
    taskTypes: type,
  };
  return answerOf(client.POST('/api/v1/validation-operations/engagements', { body }));
}

function kindOf(types: readonly TaskType[], isCode: boolean): Create['kind'] {
  if (isCode) return 'code_scan';
  return types.every((type) => type === 'web') ? 'web_scan' : 'vulnerability_scan';
}

function targetType(value: string, isCode: boolean): Create['targets'][number]['type'] {
  if (isCode) return 'repository';
  if (/^https?:/.test(value)) return 'url';
  if (isIP(value)) return 'host';
  if (/^[\d.]+(?:\/\d+|-[\d.]+)$/.test(value) || /^[\da-f:]+\/\d+$/i.test(value)) return 'cidr';
  if (value.includes('/') || value.includes(':')) return 'container_image';
  return value.includes('.') ? 'domain' : 'host';
}
