import { failedGate, type GateResult, judge, type ReadyGate } from '#shared/findings/gate/gate.ts';
import { keptComparison } from '#shared/ingest/kept-comparison.ts';
import type { Task } from '#shared/platform/jobs/task.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { withoutPart } from '#shared/platform/table/table.ts';
import { decidedOnes } from '#shared/vulnerabilities/vulnerability/decided.ts';

/**
 * Whether a finished import passes a gate. Who may ask about an import sees all of its findings, so that a role for a part needs no
 * condition of its own. @throws conflict where its findings are no longer kept
 */
export async function gateOf({ connections, table: seen }: Context, task: Task, gate: ReadyGate): Promise<GateResult> {
  const table = withoutPart(seen);
  if (task.status !== 'succeeded')
    return failedGate(`The import ${task.status}: ${task.error?.message ?? 'no reason is known'}`);
  const kept = await keptComparison(connections.bucket, table, task.id);
  if (!kept) throw conflict(`The findings of the import ${task.id} are no longer kept: import the report again.`);
  return judge(table, gate, { ...kept, decidedOnes: (rows) => decidedOnes({ connections, table }, rows) });
}
