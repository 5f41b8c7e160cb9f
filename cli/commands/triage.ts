import { answerOf, type Client, type Schemas } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, type Exit, Failure, usage } from '../errors.ts';
import { tablePages } from '../table.ts';
import { finishedTask, MAX_WAIT_SECONDS } from '../tasks.ts';
import { counted, oneLine } from '../texts.ts';

type Update = Schemas['FindingsUpdate'];
type Changes = NonNullable<Update['changes']>;
type Options = {
  filter?: string;
  id?: string[];
  status?: NonNullable<Changes['status']>;
  severity?: NonNullable<Changes['severity']>;
  reason?: string;
  until?: string;
  assign?: string;
  addTag?: string[];
  removeTag?: string[];
  approver?: string;
  dryRun?: boolean;
  yes?: boolean;
  undo?: string;
};

const list = (text: string, before: string[] = []): string[] => [
  ...before,
  ...text.split(',').filter((one) => one !== ''),
];

/** `exposure triage` */
export const define: Define = (command, act) => {
  command
    .argument('[ids...]', 'findings by their ids, without --filter')
    .option('--filter <filter>', 'the findings, such as "tool:trivy path:test/* status:open" (docs/filters.md)')
    .option('--id <ids>', 'findings by their ids, separated by commas', list)
    .option('--status <status>', 'open, in_progress, fixed, false_positive, risk_accepted or out_of_scope')
    .option('--reason <text>', 'why, for the history of each finding')
    .option('--until <day>', 'the end of an accepted risk, such as 2027-01-31')
    .option('--severity <severity>', 'another severity')
    .option('--assign <person>', 'the id of a person, or none')
    .option('--add-tag <tags>', 'tags that the findings get', list)
    .option('--remove-tag <tags>', 'tags that the findings lose', list)
    .option('--approver <person>', 'the id of the person who accepts the risk')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--yes', 'change without a question; needed where no person can answer')
    .option('--undo <task>', 'undo a change, for a day after its end')
    .addHelpText('after', EXAMPLES)
    .action(
      act((context, ids: string[], options: Options) =>
        options.undo === undefined
          ? triage(context, { ...options, id: [...ids, ...(options.id ?? [])] })
          : undo(context, options.undo),
      ),
    );
};

const EXAMPLES = `
Examples:
  exposure triage --filter "tool:semgrep path:test/*" --status false_positive --reason "test data" --dry-run
  exposure triage --filter "kev:true asset.tag:lab" --status risk_accepted --reason "isolated" --until 2027-01-31`;

/** Tries the change on each finding, shows what it would do, and does it to exactly these findings. */
async function triage(context: Context, options: Options): Promise<Exit> {
  const asked = { changes: changesOf(options), reason: options.reason, approverId: options.approver };
  const client = await context.client();
  const { taskId, preview } = await tried(context, client, { ...selectionOf(options), ...asked });
  if (options.dryRun || preview.changed === 0) {
    if (context.options.json) context.print(JSON.stringify(preview));
    else showPreview(context, preview);
    return EXIT.passed;
  }
  if (!options.yes) await confirmed(context, preview);
  const wanted = { ...asked, filter: { filter: `preview:${taskId}` } };
  const query = { waitSeconds: MAX_WAIT_SECONDS };
  const queued = await answerOf(client.PATCH('/api/v1/findings', { params: { query }, body: wanted }));
  return ended(context, client, { id: queued.taskId ?? '', word: 'changed' });
}

function selectionOf({ filter, id = [] }: Options): Pick<Update, 'ids' | 'filter'> {
  if ((filter === undefined) === (id.length === 0)) throw usage('Name the findings: by their ids, or with --filter.');
  return filter === undefined ? { ids: id } : { filter: { filter } };
}

function changesOf({ status, severity, until, assign, addTag, removeTag }: Options): Changes {
  const all = {
    status,
    severity,
    acceptedUntil: until === undefined ? undefined : endOfDay(until),
    assigneeId: assign === 'none' ? null : assign,
    addTags: addTag,
    removeTags: removeTag,
  };
  if (Object.values(all).every((value) => value === undefined))
    throw usage('Name a change: --status, --severity, --until, --assign, --add-tag or --remove-tag.');
  return all;
}

function endOfDay(text: string): string {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59Z` : text;
  if (Number.isNaN(Date.parse(day))) throw usage(`--until ${text} is no day.`, 'Send one such as 2027-01-31.');
  return new Date(day).toISOString();
}

type Preview = Schemas['FindingsPreview'];

async function tried(context: Context, client: Client, body: Update): Promise<{ taskId: string; preview: Preview }> {
  const query = { waitSeconds: MAX_WAIT_SECONDS };
  const answer = await answerOf(
    client.PATCH('/api/v1/findings', { params: { query }, body: { ...body, dryRun: true } }),
  );
  const taskId = answer.taskId ?? '';
  if (answer.preview) return { taskId, preview: answer.preview };
  const until = Date.now() + LONGEST_MS;
  const task = await finishedTask(context, client, { id: taskId, name: 'Preview', until });
  context.progress('');
  if (task.operation !== 'preview_change' || !task.result)
    throw new Failure(EXIT.incomplete, task.error?.message ?? `The preview ${task.status}.`);
  return { taskId, preview: { ...task.result, sample: [], links: { list: '' } } };
}

const LONGEST_MS = 3_600_000;

/** Shows what the change would do, exactly, and the first of its findings. */
function showPreview(context: Context, preview: Preview): void {
  context.print(summaryOf(preview));
  if (preview.sample.length === 0) return;
  const columns = { columns: ['status', 'title', 'location', 'id'], wide: ['title', 'location'] };
  context.print(tablePages(context, columns)(preview.sample).trimEnd());
}

const summaryOf = ({ matched, changed, unchanged, refusedCount, refused }: Preview): string =>
  [
    `${counted(matched, 'finding')}: ${changed} would change, ${unchanged} would stay, ${refusedCount} would refuse.`,
    ...refused.slice(0, 5).map(({ id, message }) => `  ${id}: ${oneLine(message)}`),
  ].join('\n');

/** @throws Failure where nobody says yes */
async function confirmed(context: Context, preview: Preview): Promise<void> {
  if (!context.isInteractive)
    throw usage('Nobody can answer whether to change the findings.', 'Look with --dry-run, then add --yes.');
  showPreview(context, preview);
  const { confirm } = await import('@clack/prompts');
  const message = `Change ${counted(preview.changed, 'finding')}?`;
  const answer = await confirm({ message, initialValue: false, output: process.stderr });
  if (answer !== true) throw new Failure(EXIT.interrupted, 'Nothing was changed.');
}

async function undo(context: Context, taskId: string): Promise<Exit> {
  const client = await context.client();
  const params = { path: { taskId }, query: { waitSeconds: MAX_WAIT_SECONDS } };
  const queued = await answerOf(client.POST('/api/v1/findings/bulk/{taskId}/undo', { params }));
  return ended(context, client, { id: queued.taskId, word: 'restored' });
}

/** Waits for the change and shows what became of it. */
async function ended(
  context: Context,
  client: Client,
  { id, word }: { id: string; word: 'changed' | 'restored' },
): Promise<Exit> {
  const task = await finishedTask(context, client, { id, name: 'Change', until: Date.now() + LONGEST_MS });
  context.progress('');
  if (context.options.json) context.print(JSON.stringify({ taskId: id, status: task.status, result: task.result }));
  if (task.status !== 'succeeded')
    throw new Failure(EXIT.incomplete, task.error?.message ?? `The change ${task.status}.`);
  const count = Number(Reflect.get(Object(task.result), word) ?? 0);
  const left = Number(Reflect.get(Object(task.result), word === 'changed' ? 'refusedCount' : 'changedSinceCount') ?? 0);
  context.note(`${counted(count, 'finding')} ${word}.`, 'done');
  if (left > 0)
    context.note(
      `${counted(left, 'finding')} ${word === 'changed' ? 'refused the change' : 'changed since then and stay'}.`,
      'warning',
    );
  if (word === 'changed' && count > 0) context.note(`Undo it within a day: exposure triage --undo ${id}`);
  return EXIT.passed;
}
