import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { ClosingCode } from '../closing/closing-code.ts';
import type { PackedSightings } from './sightings.ts';

/** A scan scope: the task that works on it, the tasks that wait for it, and the key of its state. */
export type ScopeRow = {
  id: string;
  /** Counts the changes of this row; every write is conditional on it. */
  revision: number;
  /** The task whose report is being applied. A task that stops in between stays the holder until it continues. */
  holder?: string;
  waiting: string[];
  /** Key of the packed state that the last finished report left. */
  stateKey?: string;
  /** The last sightings of that state, where they are small enough for the row. */
  sightings?: PackedSightings | undefined;
  lastScanAt?: string;
  /** The scan of that time, and why it proved nothing, if so. */
  lastScan?: { taskId: string; tool: string | null; missing?: ClosingCode } | undefined;
  /** The task whose closing waits until a person confirms it. */
  heldBy?: string | undefined;
};

export const scopeRows = defineRow<ScopeRow, Pick<ScopeRow, 'id'>>({
  name: 'scope',
  about: 'a scan scope: the task that holds it, the tasks that wait for it, and the place of its state',
  key: ({ id }) => [id],
});

/** The state that a report leaves, as a scan scope's row has it. */
export type LeftState = { stateKey: string; sightings: PackedSightings | undefined };

const newScope = (id: string): ScopeRow => ({ id, revision: 0, waiting: [] });

/** The scan scope after a task asked for it; `undefined` when the scope stays unchanged. */
export function acquiredBy(scope: ScopeRow, taskId: string, holderIsGone: boolean): ScopeRow | undefined {
  if (scope.holder === taskId) return undefined;
  const isWaiting = scope.waiting.includes(taskId);
  const next = isWaiting ? scope : { ...scope, waiting: [...scope.waiting, taskId] };
  if (scope.holder === undefined || holderIsGone) return handOn(next);
  return isWaiting ? undefined : next;
}

/** The scan scope after its task is done. */
export const releasedBy = (scope: ScopeRow, taskId: string): ScopeRow =>
  scope.holder === taskId ? handOn(scope) : scope;

/** The task that waited longest is next, also when another asks first. */
function handOn(scope: ScopeRow): ScopeRow {
  const [next, ...waiting] = scope.waiting;
  return { ...scope, holder: next, waiting };
}

export async function readScope(table: Table, id: string): Promise<ScopeRow> {
  return (await table.rows(scopeRows).find({ id }, true)) ?? newScope(id);
}

export const scopeWrite = (table: Table, current: ScopeRow, next: ScopeRow) =>
  putWrite(table.tenant, scopeRows, {
    row: { ...next, revision: current.revision + 1 },
    expect: current.revision === 0 ? 'absent' : { revision: current.revision },
    fail: () => new Overtaken(),
  });
