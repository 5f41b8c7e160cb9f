import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Build, type BuildOptions, buildOf } from '../build.ts';
import { withBuildOptions } from '../build-options.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, type Exit, Failure } from '../errors.ts';
import { noteImport } from '../gate/problems.ts';
import { pack } from '../import/pack.ts';
import { type Imported, type ImportFields, sendReport } from '../import/send.ts';
import { sourcesOf } from '../import/sources.ts';
import { minutes } from '../numbers.ts';
import { counted } from '../texts.ts';

type Options = BuildOptions & {
  format?: string;
  target?: string;
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
    .option('--part <part>', 'the part of a monorepo that was scanned, such as apps/api')
    .option('--scan-type <name>', 'the kind and depth of the scan; only a scan of the same type closes findings')
    .option('--partial', 'the report is partial: close no missing finding')
    .option('--engagement <id>', 'the engagement whose people made the scan')
    .option('--timeout <minutes>', 'how long to wait for the service to read the reports', minutes, 15)
    .addHelpText('after', EXAMPLES)
    .action(act(importReports));
};

const EXAMPLES = `
In a CI job or a clone, repository, branch, commit and build are known by themselves.

Examples:
  exposure import semgrep.sarif trivy.json          the reports of one build
  trivy image -f json shop:1.2 | exposure import - --target shop:1.2
  exposure import "reports/**/*.sarif" --part apps/api`;

/** Imports each report, also after one that failed: the build has the others. */
async function importReports(context: Context, files: string[], options: Options): Promise<Exit> {
  const build = await buildOf(context.env, options);
  const { format, target, part, scanType, engagement } = options;
  const { buildId, ...scanned } = build;
  const fields = {
    ...scanned,
    // the service knows a build by its repository too
    ...(build.repository !== undefined && { buildId }),
    ...{ format, target, part, scanType, engagementId: engagement },
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
    context.progress('');
    // reports of one build have most warnings in common
    const warnings = outcomes.flatMap((one) => ('failure' in one ? [] : one.warnings));
    for (const warning of new Set(warnings)) context.note(warning, 'warning');
    if (context.options.json) context.print(JSON.stringify({ ...build, imports: outcomes.map(shownOf) }));
    return worstOf(context, outcomes);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

type Outcome = Imported | { file: string; failure: Failure };
type Source = { source: string; directory: string; index: number; until: number; build: Build };

async function imported(
  context: Context,
  { source, directory, index, until, build }: Source,
  fields: ImportFields,
): Promise<Outcome> {
  try {
    const packed = await pack(source, directory, index);
    const outcome = await sendReport({ context, client: await context.client(), packed, until }, fields);
    await noteEnd(context, build, { file: source, problem: null });
    notify(context, outcome);
    return outcome;
  } catch (error) {
    // without a service or a credential the next report fares no better
    if (!(error instanceof Failure) || error.exit === EXIT.credentials || error.exit === EXIT.unreachable) throw error;
    context.note(`${source}: ${error.message}${error.next ? `\n  ${error.next}` : ''}`, 'failed');
    await noteEnd(context, build, { file: source, problem: error.message });
    return { file: source, failure: error };
  }
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
function notify({ note }: Context, { file, task }: Imported): void {
  if (task.status !== 'succeeded') note(`${file}: ${task.error?.message ?? `the import ${task.status}`}`, 'failed');
  else note(`${file}: ${countsOf(task)}`, 'done');
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
  return [...counts, ...refused].join(', ') || 'no findings';
}

function shownOf(outcome: Outcome): object {
  if ('failure' in outcome) return { file: outcome.file, status: 'failed', error: outcome.failure.message };
  const { file, task, warnings } = outcome;
  return { file, taskId: task.id, status: task.status, result: task.result, error: task.error, warnings };
}

/** A report that was not read to its end leaves the build incomplete. */
function worstOf(context: Context, outcomes: readonly Outcome[]): Exit {
  const failed = outcomes.filter((one) => 'failure' in one || one.task.status !== 'succeeded');
  if (failed.length === 0) return EXIT.passed;
  context.note(`${failed.length} of ${counted(outcomes.length, 'report')} could not be imported.`);
  const [only] = failed;
  return failed.length === 1 && only && 'failure' in only ? only.failure.exit : EXIT.incomplete;
}
