import { digestOf } from '#shared/assets/inventory/part.ts';
import type { StoredSubmission } from '#shared/ingest/submission.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { unzipped, zipped } from '#shared/platform/runtime/gzip.ts';

type Place = Pick<Work, 'table' | 'connections'>;

/** A narrow scan does not see everything that a wider scan sees, so each type of scan is its own source. */
export const sourceOf = ({ format, scanType, inventory }: StoredSubmission): string =>
  inventory ? inventory.source : scanType ? `${format}/${scanType}`.slice(0, 120) : format;

/** The statement of a source about each asset, and when the newest report with it came in: by the asset's identity (`assetKey`). */
export type Seen = Map<string, { at: string; hash: string }>;

type Row = [key: string, at: string, hash: string];

/** The hash of an asset that the source no longer names. */
export const GONE = '';

/** Whether the asset has current data of the source with this key. */
export const isTold = (seen: Seen, key: string): boolean => (seen.get(key)?.hash ?? GONE) !== GONE;

/** One object for all assets of a source, so that a report that changes nothing costs a read and a write of the bucket. */
const keyOf = ({ table }: Place, source: string): string =>
  `${table.organizationId}/inventory-seen/${digestOf(source)}.json.gz`;

/** Imports of an organization are worked one after the other, so that no other worker writes the object meanwhile. */
export async function readSeen(place: Place, source: string): Promise<Seen> {
  const packed = await place.connections.bucket.get(keyOf(place, source));
  const rows = packed ? (JSON.parse(await unzipped(packed)) as Row[]) : [];
  return new Map(rows.map(([key, at, hash]) => [key, { at, hash }]));
}

export async function writeSeen(place: Place, source: string, seen: Seen): Promise<void> {
  const rows = [...seen].map(([key, { at, hash }]): Row => [key, at, hash]);
  await place.connections.bucket.put(keyOf(place, source), await zipped(JSON.stringify(rows)));
}
