import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { collectors } from '#shared/soc/siem/collector.ts';
import type { SiemSource, SiemSourceView } from '#shared/soc/siem/siem-source.ts';
import { sourceStates } from '#shared/soc/siem/sources.ts';
import { lastDay, volumes } from '#shared/soc/siem/volume.ts';

/** Sources with their last event and their volume: three rows of each beside the records, and their collectors. */
export async function showSources(table: Table, sources: readonly SiemSource[]): Promise<SiemSourceView[]> {
  const at = nowMs();
  const days = [at - DAY_MS, at].map((time) => new Date(time).toISOString().slice(0, 10));
  const ids = sources.map(({ id }) => id);
  const senders = [...new Set(sources.map(({ collectorId }) => collectorId))];
  const [states, rows, known] = await Promise.all([
    table.rows(sourceStates).findMany(ids.map((sourceId) => ({ sourceId }))),
    table.rows(volumes).findMany(ids.flatMap((sourceId) => days.map((day) => ({ sourceId, day })))),
    recordsAt(table, collectors, senders.map(ordinalOf)),
  ]);
  const nameOf = new Map(known.map(({ id, name }) => [id, name]));
  const stateOf = new Map(states.map((state) => [state.sourceId, state]));
  const rowsOf = Map.groupBy(rows, ({ sourceId }) => sourceId);
  return sources.map((source) => {
    const { lastEventAt = null, lastReceivedAt = 0, timesReplaced = 0, failure = null } = stateOf.get(source.id) ?? {};
    const { events, bytes } = lastDay(rowsOf.get(source.id) ?? [], at);
    const received = lastReceivedAt === 0 ? null : new Date(lastReceivedAt).toISOString();
    const volume = { events24h: events, bytes24h: bytes };
    const collectorName = nameOf.get(source.collectorId) ?? null;
    return { ...source, collectorName, lastEventAt, lastReceivedAt: received, timesReplaced, ...volume, failure };
  });
}

export async function showSource(table: Table, source: SiemSource): Promise<SiemSourceView> {
  const [shown] = await showSources(table, [source]);
  if (!shown) throw new Error('one source is shown as one');
  return shown;
}
