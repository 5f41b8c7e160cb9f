import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { derivedId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import { putWrite, rowKey, stored } from '#shared/platform/table/io/row.ts';
import { type BatchRow, siemBatches } from '#shared/soc/siem/batches.ts';
import type { SiemEvent } from '#shared/soc/siem/event.ts';
import {
  hourOf,
  makeSegment,
  type Segment,
  segmentKey,
  segmentPairs,
  segments,
  segmentWords,
} from '#shared/soc/siem/segments.ts';
import type { SiemSource } from '#shared/soc/siem/siem-source.ts';
import { receivedWrite } from '#shared/soc/siem/sources.ts';
import { lastWrites, volumeWrites } from '#shared/soc/siem/volume.ts';

/** A search reads a whole segment: about 4 MB of text, and a tenth of it compressed. */
const MAX_EVENTS = 10_000;
/** Segments that are counted in one transaction. */
const AT_ONCE = 8;

type Batch = { batch: BatchRow; source: SiemSource; events: readonly SiemEvent[]; timesReplaced: number };
type Made = Awaited<ReturnType<typeof makeSegment>>;

/**
 * Stores the events of a batch as segments. Each transaction writes a few segments and the number of stored segments.
 * Repeated work on a batch makes the same segments: it only overwrites their objects, and counts no event twice.
 */
export async function storeEvents(context: Context, { batch, source, events, timesReplaced }: Batch): Promise<void> {
  const parts = [...Map.groupBy(events, ({ at }) => hourOf(at)).values()].flatMap((hour) => chunksOf(hour, MAX_EVENTS));
  const planned = parts.map((part, i) => ({
    id: derivedId(batch.collectorId, 'segment', batch.batchId, i),
    events: part,
  }));
  for (let from = batch.parts; from < planned.length || from === 0; from += AT_ONCE) {
    const some = planned.slice(from, from + AT_ONCE);
    const made: Made[] = [];
    // one after the other: those that are made at once would take their turns together
    for (const one of some) made.push(await makeSegment(one.id, one.events));
    await putAll(context, made);
    const to = from + made.length;
    const isLast = to === planned.length;
    const known = made.map(({ segment }) => segment);
    await retry(() => count(context, { batch, source, from, to, isLast, timesReplaced, made: known }));
    if (isLast) return;
  }
}

/** Writes objects and filters; searches find them only after the rows of their segments are written. */
async function putAll({ table, connections }: Context, made: readonly Made[]): Promise<void> {
  const { organizationId, tenant, dynamo } = table;
  await Promise.all(made.map((one) => connections.bucket.put(segmentKey(organizationId, one.segment), one.content)));
  const rows = made.flatMap(({ segment: { hour, id }, filters: { words, pairs } }) => [
    stored(tenant, segmentWords, { hour, id, words }),
    stored(tenant, segmentPairs, { hour, id, pairs }),
  ]);
  await writeRows(dynamo, { put: rows });
}

type Counted = {
  batch: BatchRow;
  source: SiemSource;
  from: number;
  to: number;
  isLast: boolean;
  timesReplaced: number;
  made: readonly Segment[];
};

/** @throws Overtaken when events of another collector were counted in the same moment */
async function count(
  { table }: Context,
  { batch, source, from, to, isLast, timesReplaced, made }: Counted,
): Promise<void> {
  const transaction = table.batch();
  const last = made.map((one) => one.to).sort();
  const received = {
    lastReceivedAt: Date.parse(batch.receivedAt),
    lastEventAt: last.at(-1) ?? '',
    timesReplaced: isLast ? timesReplaced : 0,
  };
  const fail = () => new Error(`the batch ${batch.batchId} is being worked by another worker`);
  transaction.write(
    {
      change: rowKey(table.tenant, siemBatches, batch),
      set: { parts: to, ...(isLast && { status: 'stored' }) },
      condition: {
        ConditionExpression: '#parts = :from AND #status = :waiting',
        ExpressionAttributeNames: { '#parts': 'parts', '#status': 'status' },
        ExpressionAttributeValues: { ':from': from, ':waiting': 'waiting' },
      },
      fail,
    },
    ...made.map((row) => putWrite(table.tenant, segments, { row })),
    ...(await lastWrites(table, made)),
    ...volumeWrites(table, made),
    ...(made.length > 0 ? [await receivedWrite(table, source.id, received)] : []),
  );
  await transaction.commit();
}
