import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import { isConflict, orOvertaken, retry } from '#shared/platform/runtime/retry.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, rowKey } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { placedTimer, timers } from '#shared/platform/timers/timers.ts';
import { type BatchFailure, type DeclaredSource, type SiemSource, siemSources, sourceKey } from './siem-source.ts';

/** Times in milliseconds. */
type SourceState = {
  sourceId: string;
  lastReceivedAt: number;
  lastEventAt: string;
  /** Of all its events. */
  timesReplaced?: number;
  /** When the sweeper looks whether the source is silent; 0: it need not. */
  timerAt?: number;
  /** Of the last failed batch. */
  failure?: BatchFailure;
};

export const sourceStates = defineRow<SourceState, Pick<SourceState, 'sourceId'>>({
  name: 'siem-source-state',
  about: 'when a source sent last, and when the sweeper looks whether it is silent',
  key: ({ sourceId }) => [sourceId],
});

type Declared = DeclaredSource & { collectorId: string };

/** The source of a collector under this name; a new one waits for its first event. */
export const sourceOf = (
  table: Table,
  { collectorId, name, kind = null, format = null }: Declared,
): Promise<SiemSource> =>
  retry(async () => {
    const value = sourceKey(collectorId, name);
    const current = await table.findUnique(siemSources, { field: 'name', value }, true);
    if (current) return current;
    return table.create<SiemSource, never>(siemSources, {
      name,
      collectorId,
      kind,
      format,
      expectedEverySeconds: DAY_MS / 1000,
      alertWhenSilent: true,
      status: 'waiting',
      quiet: true,
    });
  }, isConflict);

type Received = Pick<SourceState, 'lastReceivedAt' | 'lastEventAt'> & { timesReplaced: number };

/** Notes events of a source, in the transaction that stores them: batches of a source are worked one after the other. */
export async function receivedWrite(table: Table, sourceId: string, { timesReplaced, ...at }: Received) {
  const current = await table.rows(sourceStates).find({ sourceId }, true);
  const lastEventAt = [current?.lastEventAt ?? '', at.lastEventAt].sort().at(-1);
  const lastReceivedAt = Math.max(current?.lastReceivedAt ?? 0, at.lastReceivedAt);
  const set = { sourceId, lastEventAt, lastReceivedAt };
  return { change: rowKey(table.tenant, sourceStates, { sourceId }), set, add: { timesReplaced } } satisfies Write;
}

type Current = { source: SiemSource; state: SourceState };

/** The current state of a source from its last event, and the time of the next change without events. */
function silenceOf({ source, state }: Current) {
  const silentAt = state.lastReceivedAt + source.expectedEverySeconds * 1000;
  const quietAt = state.lastReceivedAt + DAY_MS;
  const next = [silentAt, quietAt].filter((at) => at > nowMs());
  return {
    status: silentAt <= nowMs() ? ('silent' as const) : ('active' as const),
    quiet: quietAt <= nowMs(),
    nextAt: next.length === 0 ? 0 : Math.min(...next),
  };
}

/**
 * Updates the record of a source to its last event, and sets the timer of the next change. Harmless to repeat.
 * @returns undefined for a deleted source, or one without an event yet
 */
export const settleSource = (table: Table, sourceId: string): Promise<Current | undefined> =>
  retry(async () => {
    const [source, state] = await Promise.all([
      table.find(siemSources, sourceId, true),
      table.rows(sourceStates).find({ sourceId }, true),
    ]);
    if (!source || !state?.lastReceivedAt) return undefined;
    const { status, quiet, nextAt } = silenceOf({ source, state });
    await setTimer(table, state, nextAt);
    const isSame = source.status === status && source.quiet === quiet;
    return { source: isSame ? source : await table.update(siemSources, source, { status, quiet }), state };
  }, isConflict);

/** The timer is put before the row names it: a stop in between leaves a timer too many, which the sweeper drops. */
async function setTimer(table: Table, { sourceId, timerAt }: SourceState, at: number): Promise<void> {
  if (timerAt === at || (timerAt !== undefined && timerAt > nowMs() && timerAt <= at)) return;
  const { organizationId, dynamo } = table;
  const timer = placedTimer({ kind: 'siem-source', at, organizationId, id: sourceId });
  if (at !== 0) await openTable(dynamo, GLOBAL_SCOPE).rows(timers).put(timer);
  await orOvertaken(table.rows(sourceStates).set({ sourceId }, { timerAt: at }, { timerAt }));
}
