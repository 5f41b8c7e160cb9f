import type { Session } from '#functions/workers/ingest/session.ts';
import { digestOf } from '#shared/inventory/part.ts';
import { unzipped, zipped } from '#shared/runtime/gzip.ts';

/** The statement of a source about each asset, and when the newest report with it came in: by the asset's identity (`assetKey`). */
export type Seen = Map<string, { at: string; hash: string }>;

type Row = [key: string, at: string, hash: string];

/** One object for all assets of a source, so that a report that changes nothing costs a read and a write of the bucket. */
const keyOf = ({ table }: Session, source: string): string =>
  `${table.organizationId}/inventory-seen/${digestOf(source)}.json.gz`;

/** Imports of an organization are worked one after the other, so that nobody else writes the object meanwhile. */
export async function readSeen(session: Session, source: string): Promise<Seen> {
  const packed = await session.connections.bucket.get(keyOf(session, source));
  const rows = packed ? (JSON.parse(await unzipped(packed)) as Row[]) : [];
  return new Map(rows.map(([key, at, hash]) => [key, { at, hash }]));
}

export async function writeSeen(session: Session, source: string, seen: Seen): Promise<void> {
  const rows = [...seen].map(([key, { at, hash }]): Row => [key, at, hash]);
  await session.connections.bucket.put(keyOf(session, source), await zipped(JSON.stringify(rows)));
}
