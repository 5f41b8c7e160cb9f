import type { Failure } from '#shared/platform/jobs/worker.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dailyTimer } from '#shared/platform/timers/daily.ts';
import { putTimer } from '#shared/platform/timers/timers.ts';
import { detect } from '#shared/soc/detection/detect.ts';
import { type BatchRow, dropBody, eventsOf, readBatch, siemBatches } from '#shared/soc/siem/batches.ts';
import { collectors } from '#shared/soc/siem/collector.ts';
import type { SiemEvent } from '#shared/soc/siem/event.ts';
import { namedInserts } from '#shared/soc/siem/event-inserts.ts';
import { noteSources } from '#shared/soc/siem/seen-sources.ts';
import type { SiemSource } from '#shared/soc/siem/siem-source.ts';
import { settleSource, sourceOf, sourceStates } from '#shared/soc/siem/sources.ts';
import { storeEvents } from './store-events.ts';

type Named = Pick<BatchRow, 'collectorId' | 'batchId'>;

/**
 * Makes the events of a batch searchable. Repeated work on a batch, also after a crash at any step, continues where the
 * first attempt stopped: the row has the number of stored segments, and each later step may be repeated.
 */
export async function workBatch(context: Context, named: Named): Promise<void> {
  const { table, connections } = context;
  const rows = table.rows(siemBatches);
  const batch = await rows.find(named, true);
  if (!batch || batch.status === 'done') return;
  const { collectorId, source: name, format } = batch;
  const source = await sourceOf(table, { collectorId, name, format });
  const { events, timesReplaced } = await eventsIn(context, { batch, source });
  if (batch.status === 'waiting') await storeEvents(context, { batch, source, events, timesReplaced });
  if (events.length > 0 && (source.status !== 'active' || source.quiet)) await wake(context, source);
  await noteSources(table, events);
  await detectIn(table, { batch, source, events });
  await rows.set(named, { status: 'done', failure: undefined });
  const { failure } = batch;
  if (failure) await table.rows(sourceStates).set({ sourceId: source.id }, { failure: undefined }, { failure });
  await dropBody(connections, table, batch);
}

/** The batch and its source say why the events are not there; the body stays in the bucket. */
export async function giveUpBatch({ table }: Context, named: Named, reason: Failure): Promise<void> {
  const rows = table.rows(siemBatches);
  const batch = await rows.find(named, true);
  if (!batch || batch.status === 'done') return;
  const { collectorId, batchId, source: name, format } = batch;
  const failure = { ...reason, batchId, at: now() };
  const source = await sourceOf(table, { collectorId, name, format });
  await rows.set(named, { failure });
  await table.rows(sourceStates).set({ sourceId: source.id }, { sourceId: source.id, failure });
}

type Stored = { batch: BatchRow; source: SiemSource; events: readonly SiemEvent[] };

/** The hosts of the events are in the zone of the collector. */
async function detectIn(table: Table, { batch, source, events }: Stored): Promise<void> {
  const { collectorId, batchId } = batch;
  const collector = await table.find(collectors, collectorId);
  const place = { table, zone: collector?.zone ?? null };
  await detect(place, { batchId: `${collectorId}/${batchId}`, sourceId: source.id, events });
}

/** The elements of an event of Windows, also as some writers of JSON escape them. */
const HAS_XML = /(?:<|\\u003[Cc])(?:Event|DataItem|UserData)/;

async function eventsIn({ table, connections }: Context, { batch, source }: { batch: BatchRow; source: SiemSource }) {
  const text = await readBatch(connections, table, batch);
  // few batches have XML: the parser is loaded with the first
  const xml = HAS_XML.test(text) ? (await import('saxes')).SaxesParser : undefined;
  const { events, timesReplaced } = await eventsOf(text, batch, { sourceId: source.id, xml, inserts: namedInserts });
  return { events: events.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)), timesReplaced };
}

/**
 * The source sends (again): the events of the organization end by the day, and its silence is watched. The timer comes first: once
 * the source is active, nobody wakes it again.
 */
async function wake({ table }: Context, source: SiemSource): Promise<void> {
  const batch = table.batch();
  batch.write(putTimer(dailyTimer('siem-events', table)));
  await retry(() => batch.commit());
  await settleSource(table, source.id);
}
