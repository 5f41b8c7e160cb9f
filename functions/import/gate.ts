import { failedGate, type Gate, type GateResult, judge, type KeptComparison } from '#shared/findings/gate.ts';
import { taskFiles } from '#shared/ingest/submission.ts';
import type { Task } from '#shared/jobs/task.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { conflict } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';

type Source = { connections: Connections; table: Table };

/** Whether a finished import passes a gate. @throws conflict where what it found is no longer kept */
export async function gateOf({ connections, table }: Source, task: Task, gate: Gate): Promise<GateResult> {
  if (task.status !== 'succeeded')
    return failedGate(`The import ${task.status}: ${task.error?.message ?? 'no reason is known'}`);
  const bytes = await connections.bucket.get(taskFiles(table.organizationId, task.id).compared);
  if (!bytes) throw conflict(`What the import ${task.id} found is no longer kept: import the report again.`);
  return judge(table, gate, JSON.parse(new TextDecoder().decode(bytes)) as KeptComparison);
}
