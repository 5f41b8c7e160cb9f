import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Build, type BuildOptions, buildOf } from '../build.ts';
import { withBuildOptions } from '../build-options.ts';
import { Refused } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, type Exit, Failure, usage } from '../errors.ts';
import { noteImport } from '../gate/problems.ts';
import { labelOf, pack } from '../import/pack.ts';
import { type Imported, type ImportFields, sendReport } from '../import/send.ts';
import { patternsOf, type Source, sourcesOf } from '../import/sources.ts';
import { minutes } from '../numbers.ts';
import { counted } from '../texts.ts';

type Options = BuildOptions & {
  format?: string;
  target?: string | false;
  scanType?: string;
  part?: string;
  partial?: boolean;
  engagement?: string;
  timeout: number;
};

/** `exposure import` */
export const define: Define = (command, act) => {
  withBuildOptions(
    command.argument('<file...>', 'report files, patterns such as "reports/*.sarif", or - for standard input'),
  )
    .option('--format <format>', 'the format of the reports (default: recognised)')
    .option('--target <target>', 'the scanned URL, address, host or image, where it is no repository')
    .option('--no-target', 'the report itself says what was scanned, as one of a cloud account does')
    .option('--part <part>', 'the part of a monorepo that was scanned, such as apps/api')
    .option('--scan-type <name>', 'the kind and depth of the scan; only a scan of the same type closes findings')
    .option('--partial', 'the report is partial: close no missing finding')
    .option('--engagement <id>', 'the engagement whose people made the scan')
    .option('--timeout <minutes>', 'how long to wait for the service to read the reports', minutes, 15)
    .addHelpText('after', EXAMPLES)
    .action(act(importReports));
};

const EXAMPLES = `
In a CI job or a clone, repository, branch, commit and build are known by themselves. Elsewhere --repository or --target says what was scanned.

Examples:
  exposure import semgrep.sarif trivy.json          the reports of one build
  trivy image -f json shop:1.2 | exposure import - --target shop:1.2
  exposure import "reports/**/*.sarif" --part apps/api`;

const NO_TARGET =
  'Add --repository or --target, or call the command in a clone that has a remote. Add --no-target where the report itself says it, ' +
  'as one of Nmap or of a cloud account does.';

/** The target beside a repository. Findings that name no asset would otherwise be on one that nobody knows, and never close. */
async function targetOf(
  { isInteractive }: Context,
  { repository }: Build,
  { target }: Options,
): Promise<string | undefined> {
  if (target === false) return undefined;
  if (target !== undefined || repository !== undefined) return target;
  if (!isInteractive) throw usage('Nothing says what was scanned.', NO_TARGET);
  const { isCancel, text } = await import('@clack/prompts');
  const message =
    'What was scanned? (the address of a repository, a URL, a host or an image; empty: the report says it)';
  const typed = await text({ message, output: process.stderr });
  if (isCancel(typed)) throw new Failure(EXIT.interrupted, 'Nothing was imported.');
  return typed?.trim() || undefined;
}

/** Imports each report, also after one that failed: the build has the others. */
async function importReports(context: Context, files: string[], options: Options): Promise<Exit> {
  const build = await buildOf(context.env, options);
  const { format, part, scanType, engagement } = options;
  const target = await targetOf(context, build, options);
  const { buildId, ...scanned } = build;
  const fields = {
    ...scanned,
    // the service knows a build by its repository too
    ...(build.repository !== undefined && { buildId }),
    format,
    target,
    part,
    scanType,
    engagementId: engagement,
    ...(options.partial && { closeMissing: false }),
  };
  const sources = sourcesOf(files);
  const directory = await mkdtemp(join(tmpdir(), 'exposure-'));
  // a report may have secrets in it
  try {
    const outcomes: Outcome[] = [];
    const until = Date.now() + options.timeout * 60_000;
    for (const [index, source] of sources.entries())
      outcomes.push(await imported(context, { source, directory, index, until, build }, fields));
    await noteFound(context, build, { files, outcomes });
    context.progress('');
    // reports of one build have most warnings in common
    const warnings = outcomes.flatMap((one) => ('failure' in one ? [] : one.warnings));
    for (const warning of new Set(warnings)) context.note(warning, 'warning');
    if (context.options.json) context.print(JSON.stringify({ ...build, imports: outcomes.map(shownOf) }));
    return worstOf(context, outcomes, format);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

type Outcome = Imported | { file: string; failure: Failure };
type Asked = { source: Source; directory: string; index: number; until: number; build: Build };

async function imported(
  context: Context,
  { source: { name: source, failure }, directory, index, until, build }: Asked,
  fields: ImportFields,
): Promise<Outcome> {
  try {
    if (failure) throw failure;
    const packed = await pack(source, directory, index);
    const outcome = await sendReport({ context, client: await context.client(), packed, until }, fields);
    await noteEnd(context, build, { file: source, problem: null });
    notify(context, outcome);
    return outcome;
  } catch (error) {
    // without a service or a credential the next report fares no better
    if (!(error instanceof Failure) || error.exit === EXIT.credentials || error.exit === EXIT.unreachable) throw error;
    const label = labelOf(source);
    const named = error.message.startsWith(label) ? error.message : `${label}: ${error.message}`;
    context.note(`${named}${error.next ? `\n  ${error.next}` : ''}`, 'failed');
    await noteEnd(context, build, { file: source, problem: named });
    return { file: source, failure: error };
  }
}

/** A pattern that names files now is missing no more. */
async function noteFound(
  context: Context,
  build: Build,
  { files, outcomes }: { files: readonly string[]; outcomes: readonly Outcome[] },
): Promise<void> {
  const missing = new Set(outcomes.flatMap((one) => ('failure' in one ? one.file : [])));
  for (const file of patternsOf(files)) if (!missing.has(file)) await noteEnd(context, build, { file, problem: null });
}

/** Notes for "exposure gate" whether the service has a report of a build. */
async function noteEnd(
  context: Context,
  { repository, ref, buildId }: Build,
  note: { file: string; problem: string | null },
): Promise<void> {
  if (!repository || !ref || !buildId) return;
  const { url } = await context.access();
  await noteImport(context.env, { url, repository, ref, buildId }, note);
}

/** Shows people what became of a report. */
function notify({ note }: Context, { file, task, warnings }: Imported): void {
  if (task.status !== 'succeeded') {
    note(`${file}: ${task.error?.message ?? `the import ${task.status}`}`, 'failed');
    return;
  }
  note(`${file}: ${countsOf(task)}`, 'done');
  // the answer of an import that takes long comes before its end, and has no warning yet
  if (heldIn(task.result) > 0 && warnings.length === 0)
    note(
      `${file}: the missing findings close once someone confirms it: exposure api POST findings/imports/${task.id}/confirm`,
      'warning',
    );
}

/** How many findings a report would close that lacks more than half of them. */
function heldIn(result: object | undefined): number {
  const held: unknown = result && Reflect.get(result, 'held');
  return typeof held === 'object' && held !== null ? Number(Reflect.get(held, 'count') ?? 0) : 0;
}

const COUNTS = {
  created: 'new',
  reopened: 'reopened',
  updated: 'updated',
  unchanged: 'unchanged',
  closed: 'fixed',
} as const;

function countsOf(task: Imported['task']): string {
  if (!task.result) return 'read';
  const { result } = task;
  const counts = Object.entries(COUNTS).flatMap(([name, word]) => {
    const count = Reflect.get(result, name);
    return typeof count === 'number' && count > 0 ? [`${count.toLocaleString('en')} ${word}`] : [];
  });
  const rejected = Number(Reflect.get(result, 'rejectedCount') ?? 0);
  const refused = rejected > 0 ? [`${counted(rejected, 'entry')} refused`] : [];
  const held = heldIn(result) > 0 ? [`${heldIn(result).toLocaleString('en')} missing and held`] : [];
  return [...counts, ...held, ...refused].join(', ') || 'no findings';
}

function shownOf(outcome: Outcome): object {
  if ('failure' in outcome) return { file: outcome.file, status: 'failed', error: outcome.failure.message };
  const { file, task, warnings } = outcome;
  return { file, taskId: task.id, status: task.status, result: task.result, error: task.error, warnings };
}

/** A report that was not read to its end leaves the build incomplete. */
function worstOf(context: Context, outcomes: readonly Outcome[], format: string | undefined): Exit {
  const failed = outcomes.filter((one) => 'failure' in one || one.task.status !== 'succeeded');
  if (failed.length === 0) return EXIT.passed;
  context.note(`${failed.length} of ${counted(outcomes.length, 'report')} could not be imported.`);
  const [only] = failed;
  return failed.length === 1 && only && 'failure' in only && !(format === undefined && isOfReport(only.failure))
    ? only.failure.exit
    : EXIT.incomplete;
}

/** Whether the service refused the report itself, and no option. */
const isOfReport = (failure: Failure): boolean => failure instanceof Refused && failure.code === 'unsupported_format';
