import { setTimeout as sleep } from 'node:timers/promises';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { toolKey } from '#shared/findings/finding/finding-words.ts';
import { asOne, type KeptComparison } from '#shared/findings/gate/comparison.ts';
import { judge, type ReadyGate } from '#shared/findings/gate/gate.ts';
import { reportsOfBuild } from '#shared/ingest/build.ts';
import { type ImportedReport, importedReports } from '#shared/ingest/imported-report.ts';
import { keptComparison } from '#shared/ingest/kept-comparison.ts';
import { nearWord } from '#shared/platform/filter/names.ts';
import { isFinished, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { type Table, withoutPart } from '#shared/platform/table/table.ts';
import { FORMAT_IDS } from '#shared/reports/readers/format-ids.ts';
import { decidedOnes } from '#shared/vulnerabilities/vulnerability/decided.ts';
import type { BuildGate } from './gate-routes.ts';

/** A build of a branch, and what its sender expects of it. */
export type Build = {
  id: string;
  /** The names of the repository, and those under which reports name the branch. */
  repositories: readonly string[];
  refs: readonly string[];
  hasEnded: boolean;
  tools: readonly string[];
  reports: number;
};

type Report = Omit<BuildGate['reports'][number], 'format' | 'tools' | 'part'> & {
  imported: ImportedReport | undefined;
  kept: KeptComparison | undefined;
};

const PAUSE_MS = 500;

/** Judges all reports of a build together, as soon as all are there and worked, or after `waitSeconds`. */
export async function judgeBuild(
  context: Context,
  build: Build,
  { gate, waitSeconds }: { gate: ReadyGate; waitSeconds: number },
): Promise<BuildGate> {
  const until = elapsedMs() + waitSeconds * 1_000;
  for (;;) {
    const reports = await readReports(context, build);
    const left = until - elapsedMs();
    if (left <= 0 || missingIn(build, reports).length === 0) return judged(context, { build, reports, gate });
    await sleep(Math.min(PAUSE_MS, left));
  }
}

async function readReports(context: Context, { id, repositories, refs }: Build): Promise<Report[]> {
  const sent = await reportsOfBuild(context.table, { id, repositories });
  const ofBranch = sent.filter(({ ref }) => refs.includes(ref));
  const read = async (one: (typeof ofBranch)[number]) => {
    const report = await readReport(context, one);
    return { report, of: ranOf(report, one) };
  };
  const inOrder = await Promise.all(ofBranch.map(read));
  return [...new Map(inOrder.map(({ report, of }) => [of, report])).values()];
}

type Sent = Awaited<ReturnType<typeof reportsOfBuild>>[number];

/**
 * The subject of a report: a tool that ran again on the same replaces its first report. Two tools of one format are two. A report that nobody could
 * read has no tool: only one whose sender names the kind of the scan is replaced.
 */
function ranOf({ taskId, imported }: Report, { scope, isNamed }: Sent): string {
  if (isNamed) return scope;
  return imported ? JSON.stringify([scope, ...imported.tools.map(toolKey).toSorted()]) : taskId;
}

async function readReport({ connections, table }: Context, { taskId, ofTarget }: Sent): Promise<Report> {
  const task = await table.rows(taskRows).find({ id: taskId }, true);
  const status = task?.status ?? 'failed';
  if (task && !isFinished(task)) return { taskId, status, problem: null, imported: undefined, kept: undefined };
  const imported = await table.findUnique(importedReports, { field: 'task', value: taskId }, true);
  const kept = await keptComparison(connections.bucket, table, taskId);
  const isSeen = !table.part || ofTarget || !kept || (await seesAll(table, kept));
  return { taskId, status, problem: isSeen ? problemOf({ task, imported, kept }) : OUTSIDE, imported, kept };
}

const OUTSIDE =
  'it may have findings outside of your part of the organization: send it with a role for the part, or with a key that is bound to the repository';

/** Whether a caller with a part sees all findings of a report. Of each severity only the first ones are known. */
async function seesAll(table: Table, { comparison, listed }: KeptComparison): Promise<boolean> {
  const counted = [comparison.new, comparison.existing].flatMap((counts) => Object.values(counts));
  if (counted.reduce((sum, n) => sum + n, 0) > listed.length) return false;
  const ids = listed.map(({ id }) => id);
  const present = async (of: Table) =>
    (await Promise.all([findings, branchFindings].map((entity) => of.findMany(entity, ids, true)))).flat().length;
  return (await present(table)) === (await present(withoutPart(table)));
}

type Ended = Pick<Report, 'imported' | 'kept'> & { task: TaskRow | undefined };

/** Why a report that was worked proves nothing. */
function problemOf({ task, imported, kept }: Ended): string | null {
  if (task?.status !== 'succeeded')
    return `its import ${task?.status ?? 'failed'}: ${task?.error?.message ?? 'no reason is known'}`;
  if (imported?.status === 'undone') return 'its import was undone';
  // an inventory closes nothing by its nature
  const gap = imported?.incomplete?.find(({ code, partly }) => code !== 'no_scan' && !partly);
  if (gap) return `it is incomplete: ${gap.message}`;
  return kept ? null : 'its findings are no longer kept: import it again';
}

/** The reports for which a decision waits. */
function missingIn({ tools, reports: expected }: Build, reports: readonly Report[]): string[] {
  const worked = reports.filter(({ status }) => status === 'queued' || status === 'running');
  const lacking = tools.filter((tool) => !reports.some(({ imported }) => imported && isOf(imported, tool)));
  const count = Math.max(expected, 1);
  return [
    ...worked.map(({ taskId, status }) => `The import ${taskId} is still ${status}.`),
    ...(worked.length > 0 ? [] : lacking.map((tool) => lacks(tool, reports))),
    ...(reports.length < count ? [`${reports.length} of ${count} reports have come.`] : []),
  ];
}

/** The reason why a tool is missing. A name with a slip would wait for a report that nobody sends. */
function lacks(tool: string, reports: readonly Report[]): string {
  const came = reports.flatMap(({ imported }) => imported?.tools ?? []).map(toolKey);
  const known = [...new Set([...came, ...FORMAT_IDS])];
  const near = known.includes(toolKey(tool)) ? undefined : nearWord(toolKey(tool), known);
  return `No report of ${tool} has come${near === undefined ? '.' : `: did you mean ${near}?`}`;
}

/** Whether a report is of a tool: `semgrep` is also the name of Semgrep OSS, and of its format. */
const isOf = ({ tools, format }: ImportedReport, tool: string): boolean =>
  [format, ...tools].some((name) => `${toolKey(name)} `.startsWith(`${toolKey(tool)} `));

type Judged = { build: Build; reports: readonly Report[]; gate: ReadyGate };

/** The reports that count have no finding outside of a caller's part, so that the part needs no further condition. */
async function judged({ connections, table: seen }: Context, { build, reports, gate }: Judged): Promise<BuildGate> {
  const context = { connections, table: withoutPart(seen) };
  const { passed, reasons, ...result } = await judge(context.table, gate, {
    ...asOne(reports.flatMap(({ kept, problem }) => (kept && problem === null ? kept : []))),
    decidedOnes: (rows) => decidedOnes(context, rows),
  });
  const missing = missingIn(build, reports);
  const broken = [
    ...reports.flatMap((report) =>
      report.problem === null ? [] : `The report ${nameOf(report)} counts for nothing: ${report.problem}`,
    ),
    ...(build.hasEnded ? ['The branch has ended: its findings are closed. Import the reports again.'] : []),
  ];
  const state = !passed ? 'failed' : missing.length > 0 ? 'undecided' : broken.length > 0 ? 'incomplete' : 'passed';
  return {
    passed: state === 'passed',
    state,
    reasons: [...reasons, ...missing, ...broken],
    ...result,
    reports: reports.map(shown),
  };
}

const nameOf = ({ taskId, imported }: Report): string =>
  imported ? [imported.tools[0] ?? imported.format, imported.part].filter(Boolean).join(' of ') : taskId;

const shown = ({ imported, kept: _kept, ...report }: Report): BuildGate['reports'][number] => ({
  ...report,
  format: imported?.format ?? null,
  tools: imported?.tools ?? [],
  part: imported?.part ?? null,
});
