import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { sendMessage } from '#shared/platform/jobs/send.ts';
import { knownLimits } from '#shared/platform/quotas/limits.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { now, secondsAfter } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { ApiError, conflict, invalid } from '#shared/platform/runtime/errors.ts';
import { inTurns } from '#shared/platform/runtime/turns.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { BatchFormat } from './event.ts';
import { countLines, MAX_BATCH_VALUES, MAX_LINES, MAX_NAMES } from './lines.ts';
import { type ReadAs, readAsOf } from './read-as.ts';
import { countEvents, readEvents } from './read-events.ts';
import { type BatchFailure, siemSources, sourceKey } from './siem-source.ts';
import type { WindowsReading } from './windows-log.ts';

const unpack = promisify(gunzip);

/** Bodies wait under it until they are stored as segments; the lifecycle of the bucket ends those that nobody could work. */
export const BATCHES_PREFIX = 'siem-batches/';

/** A batch without its gzip. While it is read, its events take about ten times as much memory. */
const MAX_UNPACKED = 32 * 1024 * 1024;

/** So long a batch that is sent again is known. */
const DAY_SECONDS = 86_400;
const KEPT_SECONDS = 30 * DAY_SECONDS;

/** For a row that does not name the days of its events. */
const DEFAULT_DAYS = 30;

/**
 * `waiting`: its body is in the bucket. `stored`: searches find all of its events. `done`: detection has read them too,
 * and the body is removed. `parts` of its segments are stored.
 */
export type BatchRow = {
  collectorId: string;
  batchId: string;
  hash: string;
  source: string;
  format: BatchFormat;
  receivedAt: string;
  /** The oldest time that its events may have: older events are not stored. Rows of earlier releases lack it. */
  oldest?: string;
  /** The settings of the source at the receipt: repeated work reads the same events. */
  readAs?: ReadAs | undefined;
  status: 'waiting' | 'stored' | 'done';
  parts: number;
  /** The reason of its failure; it is worked again after a redrive, or when the collector sends it again. */
  failure?: BatchFailure;
};

export const siemBatches = defineRow<BatchRow, Pick<BatchRow, 'collectorId' | 'batchId'>>({
  name: 'siem-batch',
  about: 'a batch of events that a collector sent, which is taken once',
  key: ({ collectorId, batchId }) => [collectorId, batchId],
  expiresAt: ({ receivedAt }) => secondsAfter(receivedAt, KEPT_SECONDS),
});

type Named = Pick<BatchRow, 'collectorId' | 'hash'>;

const fileOf = ({ organizationId }: Table, { collectorId, hash }: Named): string =>
  `${BATCHES_PREFIX}${organizationId}/${collectorId}/${hash}`;

type Sent = Pick<BatchRow, 'collectorId' | 'batchId' | 'source' | 'format'> & { content: Buffer };

/**
 * Stores a batch: once this returns, its events are not lost. The body is in the bucket before the row is written, and
 * the row before the message is sent; a collector without an answer sends the batch again, which sends the possibly
 * missing message.
 * @returns whether the batch was stored before, and how many of its events have the time of receipt instead of their
 * own
 * @throws validation_failed for a body that cannot be unpacked, payload_too_large, conflict for another body under the
 * same id
 */
export async function keepBatch(
  { table, connections }: Context,
  { content, ...about }: Sent,
): Promise<{ duplicate: boolean; timesReplaced: number }> {
  const text = (await unpackedOf(content)).toString('utf8');
  const { collectorId, batchId } = about;
  const hash = createHash('sha256').update(JSON.stringify(about)).update(content).digest('base64url');
  const { siemRetentionDays } = await knownLimits(connections.dynamo, table.organizationId);
  const receivedAt = now();
  const oldest = secondsAfter(receivedAt, -siemRetentionDays * DAY_SECONDS);
  const key = { field: 'name', value: sourceKey(collectorId, about.source) } as const;
  const source = await table.findUnique(siemSources, key);
  const readAs = source && readAsOf(source);
  const row: BatchRow = { ...about, hash, receivedAt, oldest, ...(readAs && { readAs }), status: 'waiting', parts: 0 };
  const current = await table.rows(siemBatches).find(row);
  const { timesReplaced, isOver } = await inTurns(countEvents(text, forReading(current ?? row, '')));
  if (isOver) throw tooManyFields();
  if (!current) await connections.bucket.put(fileOf(table, row), content);
  const isNew = !current && (await table.rows(siemBatches).put(row, 'absent'));
  const kept = isNew ? row : (current ?? (await table.rows(siemBatches).find(row, true)));
  if (kept && kept.hash !== hash)
    throw conflict('This batchId was used for another body: use a new batchId for each batch.', [
      { path: 'batchId', message: 'names another batch' },
    ]);
  if (kept?.status !== 'done') await send(connections, table, { collectorId, batchId });
  return { duplicate: !isNew, timesReplaced };
}

/** The events of a batch, the same each time. */
export const eventsOf = (
  text: string,
  batch: BatchRow,
  { sourceId, ...reading }: { sourceId: string } & WindowsReading,
) => inTurns(readEvents(text, { ...forReading(batch, sourceId), ...reading }));

function forReading({ format, receivedAt, oldest, readAs }: BatchRow, sourceId: string) {
  const since = oldest ?? secondsAfter(receivedAt, -DEFAULT_DAYS * DAY_SECONDS);
  return { sourceId, format: readAs?.parser ?? format, receivedAt, oldest: since, readAs };
}

const tooManyFields = () =>
  new ApiError(
    'payload_too_large',
    `The batch has over ${MAX_BATCH_VALUES} values of JSON, ${MAX_NAMES} different names of fields, ${MAX_LINES} records, or 32 MB of ` +
      'resources that its records share: send it in parts.',
  );

const send = (connections: Connections, { organizationId }: Table, of: { collectorId: string; batchId: string }) =>
  sendMessage(
    connections,
    'siem',
    { organizationId, ...of },
    {
      group: of.collectorId,
      deduplicationId: createHash('sha256')
        .update(JSON.stringify([organizationId, of.collectorId, of.batchId]))
        .digest('hex'),
    },
  );

/** A body without its gzip, which its first bytes show. @throws validation_failed, payload_too_large */
async function unpackedOf(content: Uint8Array): Promise<Buffer> {
  const isPacked = content[0] === 0x1f && content[1] === 0x8b;
  const bytes = isPacked ? await unpackWithin(content) : Buffer.from(content);
  if ((await inTurns(countLines(bytes))) > MAX_LINES)
    throw new ApiError('payload_too_large', `The batch has over ${MAX_LINES} events or lines: send it in parts.`);
  return bytes;
}

async function unpackWithin(content: Uint8Array): Promise<Buffer> {
  try {
    return await unpack(content, { maxOutputLength: MAX_UNPACKED });
  } catch (error) {
    if (error instanceof RangeError)
      throw new ApiError('payload_too_large', 'The batch is over 32 MB without its gzip: send it in parts.');
    throw invalid('content', 'begins as gzip and is incomplete: send it again');
  }
}

/** @throws when the body is gone before it was stored */
export async function readBatch({ bucket }: { bucket: Bucket }, table: Table, batch: BatchRow): Promise<string> {
  const content = await bucket.get(fileOf(table, batch));
  if (!content) throw new Error(`the body of the batch ${batch.batchId} is gone`);
  return (await unpackedOf(content)).toString('utf8');
}

export const dropBody = ({ bucket }: { bucket: Bucket }, table: Table, batch: BatchRow): Promise<void> =>
  bucket.remove([fileOf(table, batch)]);
