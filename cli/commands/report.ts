import { Argument, Option } from 'commander';
import { answerOf, type Client, type Schemas } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../errors.ts';
import { fetchFile } from '../fetch-file.ts';
import { minutes, numberFrom } from '../numbers.ts';
import { type Kind, placed } from '../records/kind.ts';
import { recordCommands } from '../records/list.ts';
import { finishedTask, MAX_WAIT_SECONDS } from '../tasks.ts';

const KINDS = [
  ...(['executive', 'technical', 'application', 'team', 'engagement', 'compliance'] as const),
  ...(['accepted_risks', 'remediation_plan', 'sbom_vex', 'audit_log'] as const),
];
const FORMATS = ['pdf', 'html', 'xlsx', 'csv', 'json', 'sbom', 'vex'] as const;
const LANGUAGES = ['en', 'de', 'fr'] as const;

const REPORTS: Kind = {
  plural: 'reports',
  columns: ['kind', 'title', 'status', 'asOf', 'id'],
  wide: ['title'],
  isSearched: true,
  facts: [
    'id',
    'kind',
    'title',
    'status',
    'error',
    'asOf',
    'factsHash',
    'headline',
    'tables',
    'createdBy',
    'createdAt',
  ],
  async page(client, { size: paginateSize, filter: search }, from) {
    const query = { paginateFrom: Number(from ?? 0), paginateSize, search };
    return placed(await answerOf(client.GET('/api/v1/reports', { params: { query } })), from);
  },
  show: (client, id) => answerOf(client.GET('/api/v1/reports/{id}', { params: { path: { id } } })),
};

type FileOptions = { format: (typeof FORMATS)[number]; table?: string; output?: string };
type Options = FileOptions & {
  language: (typeof LANGUAGES)[number];
  days: number;
  title?: string;
  filter?: string;
  filterId?: string;
  application?: string;
  team?: string;
  engagement?: string;
  framework?: string;
  timeout: number;
};

/** `exposure report` */
export const define: Define = (command, act) => {
  const format = () =>
    new Option('--format <format>', 'csv is of one table')
      .choices(FORMATS)
      .default('pdf' satisfies FileOptions['format']);
  command
    .command('create')
    .description('make a report, wait for it and fetch its file')
    .addArgument(new Argument('<kind>', 'what it shows').choices(KINDS))
    .addOption(format())
    .addOption(new Option('--language <language>', 'of its texts').choices(LANGUAGES).default('en'))
    .option('--days <number>', 'the period: so many days before now', numberFrom(1, 366), 30)
    .option('--title <title>', 'instead of the name of the kind')
    .option('--filter <filter>', 'only findings that fit (docs/filters.md)')
    .option('--filter-id <id>', 'the same by a saved filter')
    .option('--application <id>', 'of the kind application')
    .option('--team <id>', 'of the kind team')
    .option('--engagement <id>', 'of the kind engagement')
    .option('--framework <id>', 'of the kind compliance')
    .option('--table <id>', 'of csv: the table')
    .option('--output <file>', 'the file to write; without it only the id is printed')
    .option('--timeout <minutes>', 'how long to wait', minutes, 15)
    .action(act(createReport));
  command
    .command('get <id>')
    .description('fetch a file of a report')
    .addOption(format())
    .option('--table <id>', 'of csv: the table')
    .option('--output <file>', 'the file to write (default: standard output)')
    .action(
      act(async (context, id: string, options: FileOptions) =>
        fetchReport(context, await context.client(), id, options),
      ),
    );
  recordCommands(command, act, REPORTS);
};

async function createReport(context: Context, kind: (typeof KINDS)[number], options: Options): Promise<undefined> {
  const client = await context.client();
  const params = { query: { waitSeconds: MAX_WAIT_SECONDS } };
  const queued = await answerOf(client.POST('/api/v1/reports', { params, body: bodyOf(kind, options) }));
  const { resource, taskId } = queued;
  const id = resource?.id ?? '';
  const until = Date.now() + options.timeout * 60_000;
  const { status, error } = await finishedTask(context, client, { id: taskId, name: `Report ${kind}`, until });
  context.progress('');
  if (status !== 'succeeded') throw new Failure(EXIT.incomplete, error?.message ?? `The report ${status}.`);
  if (options.output !== undefined) return fetchReport(context, client, id, options);
  context.print(context.options.json ? JSON.stringify({ id, kind }) : id);
  return undefined;
}

const bodyOf = (kind: (typeof KINDS)[number], options: Options): Schemas['GenerateReportBody'] => ({
  kind,
  language: options.language,
  periodDays: options.days,
  title: options.title ?? null,
  filter: options.filter ?? null,
  filterId: options.filterId ?? null,
  applicationId: options.application ?? null,
  teamId: options.team ?? null,
  engagementId: options.engagement ?? null,
  framework: options.framework ?? null,
});

async function fetchReport(
  context: Context,
  client: Client,
  id: string,
  { format, table, output }: FileOptions,
): Promise<undefined> {
  const params = { path: { id }, query: { format, table } };
  const file = await answerOf(client.GET('/api/v1/reports/{id}/file', { params }));
  await fetchFile(context, file, output);
  if (output !== undefined) context.note(output, 'done');
  return undefined;
}
