import { createHash } from 'node:crypto';
import { type ApexTask, apexTasks, type SeverityCounts } from '#shared/apex/apex-task.ts';
import { filePath, keepFiles } from '#shared/apex/files.ts';
import { heldTask } from '#shared/apex/presence.ts';
import { checkTarget } from '#shared/assets/targets/canonical.ts';
import { covers, isReportable } from '#shared/assets/targets/covers.ts';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { acceptReport } from '#shared/ingest/accept.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { derivedId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { parseItem } from '#shared/scanning/leases/answers.ts';
import type { Caller, TaskCaller } from '#shared/scanning/leases/complete.ts';
import { noteAnswer } from '#shared/scanning/leases/completion.ts';
import { ApexFinding } from './finding.ts';
import type { FindingAnswer } from './routes.ts';
import { scanOf } from './scan.ts';

type Placed = ApexFinding & { target: ScanTarget };

/** The findings that a task has reported, by a hash of their identity: a repeated finding counts once. */
type Reported = { taskId: string; rev: number; severities: Record<string, keyof SeverityCounts> };
export const reportedRows = defineRow<Reported, Pick<Reported, 'taskId'>>({
  name: 'apex-reported',
  about: 'hashes of the findings that an Apex task has reported',
  key: ({ taskId }) => [taskId],
});
/** So many fit one row. */
const MAX_PER_TASK = 5000;

type Request = { taskId: string; findings: readonly unknown[] };

/**
 * Takes findings of a task that the caller holds, with an answer for each finding. @throws conflict when the caller
 * does not hold the task
 */
export async function reportFindings(at: Caller, { taskId, findings }: Request) {
  const held = await heldTask(at.table, at.machineId, taskId);
  if (!held) throw conflict('You do not hold this task, or no longer hold it: its findings are refused.');
  const { task, owner } = held;
  const between = { ...at, owner };
  const checked = await withFiles(
    between,
    task,
    findings.map((raw) => check(task, raw)),
  );
  const placed = checked.flatMap(({ finding }) => (finding ? [finding] : []));
  const results = checked.map(({ answer }) => answer);
  const queued = await takeFindings(between, task, placed);
  if (placed.length > 0) await countNew(owner, task, { placed, queued });
  const first = queued[0] ?? (await noteAnswer(at.table, 'report_apex_findings', 0));
  return { taskId: first, status: 'queued' as const, results };
}

type Checked = { answer: FindingAnswer; finding?: Placed };

function check(task: ApexTask, raw: unknown): Checked {
  const parsed = parseItem(ApexFinding, raw, 'externalId');
  if ('badId' in parsed) return refuse(parsed.badId, 'validation_failed', parsed.message);
  const reported = parsed.item;
  const { externalId } = reported;
  const [only] = task.targets;
  const named = reported.target ?? (task.targets.length === 1 ? only : undefined);
  if (!named) return refuse(externalId, 'validation_failed', 'target: is required, for the task has several');
  // in the form in which the targets of the task and the assets of scans are written
  const checked = checkTarget(named);
  if ('problem' in checked) return refuse(externalId, 'validation_failed', `target.value: ${checked.problem}`);
  const said = { ...named, ...checked };
  const zone = said.zone ?? zoneOf(task, said);
  if (zone === undefined)
    return refuse(externalId, 'validation_failed', 'target.zone: is required, for the task looks at it in several');
  const target = { ...said, zone };
  if (!isReportable(task, target))
    return refuse(externalId, 'out_of_scope', 'target: must be within the targets of the task');
  if (target.type === 'cidr') return refuse(externalId, 'validation_failed', 'target: name one address of the range');
  return { answer: { externalId, accepted: true }, finding: { ...reported, target } };
}

/** Takes uploads that are evidence for the task. A finding is refused when one of its uploads cannot be taken. */
async function withFiles(between: TaskCaller, task: ApexTask, checked: readonly Checked[]): Promise<Checked[]> {
  const filesOf = ({ finding }: Checked) => (finding?.evidence ?? []).flatMap(({ uploadId }) => uploadId ?? []);
  const refused = await keepFiles(between, task.id, checked.flatMap(filesOf));
  return checked.map((one) => {
    const bad = filesOf(one).find((id) => refused.has(id));
    const error = bad === undefined ? undefined : refused.get(bad);
    if (error) return refuse(one.answer.externalId, error.code, `evidence: ${error.message}`);
    return one.finding ? { ...one, finding: withAddresses(one.finding, task) } : one;
  });
}

/** The evidence begins with the place of the files, because long evidence is truncated. */
const withAddresses = (finding: Placed, { id }: ApexTask): Placed => ({
  ...finding,
  evidence: finding.evidence.map(({ uploadId, ...item }) => {
    if (uploadId === undefined) return item;
    return { ...item, content: [`${item.kind}: ${filePath(id, uploadId)}`, item.content].filter(Boolean).join('\n') };
  }),
});

/** The zone of the target of a finding that names no zone; undefined if several zones are possible. */
function zoneOf({ targets, zone }: ApexTask, said: Pick<ScanTarget, 'type' | 'value'>): string | null | undefined {
  const [first = zone, ...more] = new Set(targets.filter((one) => covers(one, said)).map((one) => one.zone));
  return more.length === 0 ? first : undefined;
}

const refuse = (externalId: string, code: string, message: string): Checked => ({
  answer: { externalId, accepted: false, code, message },
});

/** Makes one report per zone, whose id follows from its content. @returns the tasks that read the reports */
async function takeFindings(
  { connections, table, owner }: TaskCaller,
  task: ApexTask,
  placed: Placed[],
): Promise<string[]> {
  const taskIds: string[] = [];
  for (const [zone, findings] of Map.groupBy(placed, ({ target }) => target.zone)) {
    const report = { content: JSON.stringify(findings) };
    const taskId = derivedId(task.id, 'findings', createHash('sha256').update(report.content).digest('hex'));
    await acceptReport(
      { connections, table: owner },
      { ...scanOf(task, zone), format: 'apex', report, taskId, caller: table },
    );
    taskIds.push(taskId);
  }
  return taskIds;
}

/** The same problem on another asset is another finding, as for the ingest. */
function keyOf({ externalId, target: { zone, type, value } }: Placed): string {
  const identity = JSON.stringify([zone, type, value, externalId]);
  return createHash('sha256').update(identity).digest('base64url').slice(0, 10);
}

/** The task's findings by severity, each finding once. */
const countNew = (table: Table, { id }: ApexTask, { placed, queued }: { placed: Placed[]; queued: string[] }) =>
  retry(async () => {
    const [task, current] = await Promise.all([
      table.get(apexTasks, id, true),
      table.rows(reportedRows).find({ taskId: id }, true),
    ]);
    const severities = { ...current?.severities };
    const findings = { ...task.findings };
    for (const finding of placed) {
      const known = severities[keyOf(finding)];
      if (known === finding.severity || Object.keys(severities).length >= MAX_PER_TASK) continue;
      if (known) findings[known] -= 1;
      findings[finding.severity] += 1;
      severities[keyOf(finding)] = finding.severity;
    }
    const ingestTaskIds = [...new Set([...task.ingestTaskIds, ...queued])].slice(-10);
    const batch = table.batch();
    batch.update(apexTasks, task, table.changed(task, { findings, ingestTaskIds }));
    const row = { taskId: id, rev: (current?.rev ?? 0) + 1, severities };
    batch.write(putWrite(table.tenant, reportedRows, { row, expect: current ? { rev: current.rev } : 'absent' }));
    await batch.commit();
  });
