import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { unzipped, zipped } from '#shared/platform/runtime/gzip.ts';
import { Service, Software } from '#shared/reports/report/report.ts';

/** The lists of one source for one asset; an absent list is unknown. */
export type Part = { services?: Service[]; software?: Software[] };

/** The place of a source's part. In the table a list of 10,000 entries would take 200 writes. */
type Place = { organizationId: string; assetId: string; source: string };

/** The source of the software that an agent reports. */
export const AGENT = 'agent';

/** The agent's part is where releases before 1.8 stored it. */
const keyOf = ({ organizationId, assetId, source }: Place): string =>
  `${organizationId}/software/${assetId}${source === AGENT ? '' : `/${digestOf(source)}`}.json.gz`;

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

const Stored = z.object({ services: z.array(Service).optional(), software: z.array(Software).optional() });

export const putPart = async (bucket: Bucket, place: Place, part: Part): Promise<void> =>
  bucket.put(keyOf(place), await zipped(JSON.stringify(part)));

export async function readPart(bucket: Bucket, place: Place): Promise<Part> {
  const packed = await bucket.get(keyOf(place));
  if (!packed) return {};
  const content: unknown = JSON.parse(await unzipped(packed));
  return Stored.parse(Array.isArray(content) ? { software: content } : content);
}

export const partDigest = (part: Part): string => digestOf(JSON.stringify(part));

/** A part in one form: sorted, without duplicates. What sources send in another order is the same. */
export function inOneForm({ services, software }: Part): Part {
  return {
    ...(services && { services: inOrder(services) }),
    ...(software && { software: inOrder(software.map(withAllFields)) }),
  };
}

const withAllFields = ({ name, version, vendor = null, purl = null, cpe }: Software): Software => ({
  name,
  version,
  vendor,
  purl,
  ...(cpe && { cpe }),
});

function inOrder<T>(entries: readonly T[]): T[] {
  const byText = new Map(entries.map((entry) => [JSON.stringify(entry), entry]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}
