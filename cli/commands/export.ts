import { Argument, Option } from 'commander';
import { answerOf, type Client } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../errors.ts';
import { fetchFile } from '../fetch-file.ts';
import { minutes } from '../numbers.ts';
import { oneOf } from '../records/kind.ts';
import { finishedTask, MAX_WAIT_SECONDS } from '../tasks.ts';

const KINDS = ['findings', 'vulnerabilities', 'assets'] as const;
type Kind = (typeof KINDS)[number];
const FORMATS = ['csv', 'jsonl', 'sarif', 'vex'] as const;
type Format = (typeof FORMATS)[number];
type Options = { format: Format; filter?: string; output?: string; timeout: number };

/** `exposure export` */
export const define: Define = (command, act) => {
  command
    .addArgument(new Argument('<kind>', 'the records').choices(KINDS))
    .addOption(
      new Option('--format <format>', 'sarif is of findings, vex of findings and vulnerabilities')
        .choices(FORMATS)
        .default('csv'),
    )
    .option('--filter <filter>', 'the records (docs/filters.md); without it all')
    .option('--output <file>', 'the file to write (default: standard output)')
    .option('--timeout <minutes>', 'how long to wait', minutes, 60)
    .action(act(exportRecords));
};

type Wanted = { format: Format; filter: { filter?: string } };
type File = { name: string; url: string };

/** Lets the service write a file of all records, then fetches it. A file on the disk is whole, or not there. */
async function exportRecords(
  context: Context,
  kind: Kind,
  { format, filter, output, timeout }: Options,
): Promise<undefined> {
  const client = await context.client();
  const wanted = { format, filter: { ...(filter !== undefined && { filter }) } };
  const { taskId } = await queued(client, kind, wanted);
  const until = Date.now() + timeout * 60_000;
  const { status, error } = await finishedTask(context, client, { id: taskId, name: `Export of ${kind}`, until });
  context.progress('');
  if (status !== 'succeeded') throw new Failure(EXIT.incomplete, error?.message ?? `The export ${status}.`);
  await fetchFile(context, await written(client, kind, taskId), output);
  if (output !== undefined) context.note(output, 'done');
  return undefined;
}

function queued(client: Client, kind: Kind, { format, ...wanted }: Wanted): Promise<{ taskId: string }> {
  const params = { query: { waitSeconds: MAX_WAIT_SECONDS } };
  if (kind === 'findings')
    return answerOf(client.POST('/api/v1/findings/export', { params, body: { format, ...wanted } }));
  if (kind === 'vulnerabilities') {
    const body = { ...wanted, format: fitting(['csv', 'jsonl', 'vex'], { kind, format }) };
    return answerOf(client.POST('/api/v1/vulnerabilities/export', { params, body }));
  }
  const body = { ...wanted, format: fitting(['csv', 'jsonl'], { kind, format }) };
  return answerOf(client.POST('/api/v1/assets/export', { params, body }));
}

function fitting<F extends Format>(formats: readonly F[], { kind, format }: { kind: Kind; format: Format }): F {
  const known = oneOf(formats, format);
  if (known) return known;
  throw new Failure(EXIT.usage, `${kind} are not exported as ${format}.`, `Choose one of ${formats.join(', ')}.`);
}

async function written(client: Client, kind: Kind, taskId: string): Promise<File> {
  const params = { path: { taskId } };
  const { file } = await (kind === 'findings'
    ? answerOf(client.GET('/api/v1/findings/export/{taskId}', { params }))
    : kind === 'vulnerabilities'
      ? answerOf(client.GET('/api/v1/vulnerabilities/export/{taskId}', { params }))
      : answerOf(client.GET('/api/v1/assets/export/{taskId}', { params })));
  if (!file) throw new Failure(EXIT.incomplete, 'The service has no file of this export.', 'Export again.');
  return file;
}
