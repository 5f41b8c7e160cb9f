import type { StoredFinding } from '#shared/entities/finding.ts';
import type { SeenRecord } from '#shared/findings/scan-state.ts';
import type { FindingRow } from '#shared/findings/view.ts';
import { taskFiles } from '#shared/ingest/submission.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import type { Table } from '#shared/table/table.ts';
import { readJson } from './files.ts';

/** A finding that an import is about to change: its present values of the fields that change, null where it has none. */
export type Noted = {
  id: string;
  from: Record<string, unknown>;
  /** Its last sighting, where closing it takes that out of the scope's state. */
  seen?: SeenRecord;
};

export const noted = (standing: FindingRow, changes: Partial<StoredFinding>): Noted => ({
  id: standing.id,
  from: Object.fromEntries(Object.keys(changes).map((name) => [name, Reflect.get(standing, name) ?? null])),
});

type Source = { connections: Connections; table: Table; task: { id: string } };
type Kind = 'closed' | 'reopened';

export const readNoted = async ({ connections, table, task }: Source, kind: Kind): Promise<Noted[]> =>
  (await readJson<Noted[]>(connections.bucket, taskFiles(table.organizationId, task.id)[kind])) ?? [];

/**
 * Keeps what the task is about to change. It is called before, so that a worker that stops leaves nothing unnoted; what was
 * noted and not done is told by the finding itself.
 */
export async function noteChanges(source: Source, kind: Kind, changes: readonly Noted[]): Promise<void> {
  if (changes.length === 0) return;
  const all = new Map([...(await readNoted(source, kind)), ...changes].map((one) => [one.id, one]));
  const key = taskFiles(source.table.organizationId, source.task.id)[kind];
  await source.connections.bucket.put(key, JSON.stringify([...all.values()]));
}
