import { Argument, type Command, Option } from 'commander';
import { answerOf, type Client, type Schemas } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../errors.ts';
import { fetchFile } from '../fetch-file.ts';
import { minutes, numberFrom } from '../numbers.ts';
import { recordCommands } from '../records/list.ts';
import { REPORT_SCHEDULES, REPORT_TEMPLATES, REPORTS } from '../records/reports.ts';
import { finishedTask, MAX_WAIT_SECONDS } from '../tasks.ts';

const KINDS = [
  ...(['executive', 'technical', 'application', 'team', 'engagement', 'compliance'] as const),
  ...(['accepted_risks', 'remediation_plan', 'sbom_vex', 'audit_log'] as const),
];
const FORMATS = ['pdf', 'html', 'xlsx', 'csv', 'json', 'sbom', 'vex'] as const;
const LANGUAGES = ['en', 'de', 'fr'] as const;

type FileOptions = { format: (typeof FORMATS)[number]; table?: string; output?: string };
type Waiting = FileOptions & { timeout: number };
type Options = Waiting & {
  language: (typeof LANGUAGES)[number];
  days: number;
  title?: string;
  filter?: string;
  filterId?: string;
  application?: string;
  team?: string;
  engagement?: string;
  framework?: string;
};

/** `exposure report` */
export const define: Define = (command, act) => {
  fileOptions(command.command('create'))
    .description('make a report, wait for it and fetch its file')
    .addArgument(new Argument('<kind>', 'what it shows').choices(KINDS))
    .addOption(new Option('--language <language>', 'of its texts').choices(LANGUAGES).default('en'))
    .option('--days <number>', 'the period: so many days before now', numberFrom(1, 366), 30)
    .option('--title <title>', 'instead of the name of the kind')
    .option('--filter <filter>', 'only findings that fit (docs/filters.md)')
    .option('--filter-id <id>', 'the same by a saved filter')
    .option('--application <id>', 'of the kind application')
    .option('--team <id>', 'of the kind team')
    .option('--engagement <id>', 'of the kind engagement')
    .option('--framework <id>', 'of the kind compliance')
    .option('--timeout <minutes>', 'how long to wait', minutes, 15)
    .action(act(createReport));
  fileOptions(command.command('get <id>'), 'the file to write (default: standard output)')
    .description('fetch a file of a report')
    .action(
      act(async (context, id: string, options: FileOptions) =>
        fetchReport(context, await context.client(), id, options),
      ),
    );
  recordCommands(command, act, REPORTS);
  const templates = command.command('templates').description('the settings of reports, kept under names');
  fileOptions(templates.command('make <id>').description('make a report of a template, wait for it and fetch its file'))
    .option('--timeout <minutes>', 'how long to wait', minutes, 15)
    .action(act(makeOfTemplate));
  recordCommands(templates, act, REPORT_TEMPLATES);
  const schedules = command.command('schedules').description('when reports of templates are made and sent');
  recordCommands(schedules, act, REPORT_SCHEDULES);
};

const fileOptions = (command: Command, output = 'the file to write; without it only the id is printed'): Command =>
  command
    .addOption(
      new Option('--format <format>', 'csv is of one table')
        .choices(FORMATS)
        .default('pdf' satisfies FileOptions['format']),
    )
    .option('--table <id>', 'of csv: the table')
    .option('--output <file>', output);

async function createReport(context: Context, kind: (typeof KINDS)[number], options: Options): Promise<undefined> {
  const client = await context.client();
  const params = { query: { waitSeconds: MAX_WAIT_SECONDS } };
  const queued = await answerOf(client.POST('/api/v1/reports', { params, body: bodyOf(kind, options) }));
  return whenMade(context, client, queued, { ...options, kind });
}

async function makeOfTemplate(context: Context, id: string, options: Waiting): Promise<undefined> {
  const client = await context.client();
  const params = { path: { id }, query: { waitSeconds: MAX_WAIT_SECONDS } };
  const queued = await answerOf(client.POST('/api/v1/report-templates/{id}/reports', { params }));
  return whenMade(context, client, queued, options);
}

/** Waits for a report, and fetches its file or prints its id. */
async function whenMade(
  context: Context,
  client: Client,
  { resource, taskId }: Pick<Schemas['QueuedResponse'], 'resource' | 'taskId'>,
  { kind, ...options }: Waiting & { kind?: (typeof KINDS)[number] },
): Promise<undefined> {
  const id = resource?.id ?? '';
  const until = Date.now() + options.timeout * 60_000;
  const { status, error } = await finishedTask(context, client, {
    id: taskId,
    name: kind ? `Report ${kind}` : 'The report',
    until,
  });
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
