import { createHash } from 'node:crypto';
import * as z from 'zod';
import { newIdAt, ordinalOf } from '#shared/platform/runtime/ids.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';
import { contributionOf } from '#shared/platform/table/layout/contribution.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import { rowsOf } from '#shared/platform/table/layout/record.ts';
import type { Table } from '#shared/platform/table/table.ts';

const Exposure = z.object({
  id: z.string(),
  version: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  title: z.string(),
  status: z.string(),
  severity: z.string(),
  asset: z.string().nullable(),
  tool: z.string(),
  tag: z.string().nullable(),
  summary: z.string(),
  text: z.string().nullable(),
});
export type Exposure = z.infer<typeof Exposure>;

const statuses = ['open', 'in_progress', 'fixed', 'accepted', 'false_positive'];
const severities = ['critical', 'high', 'medium', 'low', 'info'];

const options = {
  dimensions: { status: statuses, severity: severities },
  parents: {
    // A rare combination gets its own list, with few and small masks.
    doubtful: {
      of: ({ status, severity }: Exposure) => (status === 'false_positive' && severity === 'critical' ? 'all' : null),
    },
    asset: { of: ({ asset }: Exposure) => asset, dimensions: { status: statuses, severity: severities } },
  },
  facets: ({ status, severity }: Exposure) => count({ status, severity, both: `${status}/${severity}` }),
  search: ({ title }: Exposure) => [title],
  indexed: ({ tool, tag }: Exposure) => ({ tool, tag }),
  broad: ['status', 'severity'],
  journal: true,
};

/** Records like findings, the largest collection of the product. */
export const exposures = defineEntity(Exposure, { ...options, name: 'exposure' });
/** The same records with the long text in a separate row, and with a tally. */
export const detailed = defineEntity(Exposure, {
  ...options,
  name: 'detailed',
  detail: ['text'],
  tallies: ({ asset }) => [{ facet: 'asset', value: asset }],
});

/** Repeatable random numbers, so that two runs measure the same table. */
export function chance(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 48271) >>> 0) % 2147483647;
    return state / 2147483647;
  };
}

function pick(random: () => number, weighted: Record<string, number>): string {
  let left = random() * Object.values(weighted).reduce((sum, weight) => sum + weight, 0);
  for (const [value, weight] of Object.entries(weighted)) {
    left -= weight;
    if (left < 0) return value;
  }
  return '';
}

/** Most findings are open and low, as in reports of scanners; one finding of 2,500 is a critical false positive. */
const drawn = (random: () => number) => ({
  status: pick(random, { open: 60, in_progress: 4, fixed: 28, accepted: 6, false_positive: 2 }),
  severity: pick(random, { critical: 2, high: 10, medium: 30, low: 40, info: 18 }),
});

/** A record whose list row fills `bytes` as far as possible. DynamoDB counts keys and the store's attributes too. */
export function sized(table: Table, item: Exposure, bytes = 1024): Exposure {
  const withSummary = (length: number) => ({ ...item, summary: noise.slice(0, length) });
  const fits = (length: number) => rowBytes(table, withSummary(length)) <= bytes;
  // similar records need similar lengths: begin with the last length that fitted
  let length = lastLength;
  while (!fits(length)) length -= 4;
  while (fits(length + 1)) length++;
  lastLength = length;
  return withSummary(length);
}

let lastLength = 900;

/** No compression makes this shorter than three quarters. */
const noise = createHash('shake256', { outputLength: 2048 }).update('noise').digest('base64url');

function rowBytes(table: Table, item: Exposure): number {
  const place = { keys: keysOf(table.tenant, exposures), ordinal: 1, contribution: contributionOf(exposures, item) };
  const { main } = rowsOf(exposures, item, { ...place, details: { fields: undefined } });
  return attributes(main).reduce((sum, [name, value]) => sum + name.length + bytesOf(value), 0);
}

const attributes = (value: object) => Object.entries(value).filter(([, one]) => one !== undefined);

/** Developer guide, "DynamoDB item sizes and formats". */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  return 3 + attributes(value).reduce((sum, [name, one]) => sum + 1 + name.length + bytesOf(one), 0);
}

const BATCH = 90; // With their counter rows these fill a transaction of 100 items.

/** Fills the collection like ingest, in batches and through the journal. */
export async function fill(table: Table, size: number): Promise<void> {
  const { itemAt, complete } = exposuresOf(table, { size, share: 0 });
  for (let from = 0; from < size; from += BATCH) {
    const length = Math.min(BATCH, size - from);
    const first = await table.reserveOrdinals(exposures, length);
    const batch = table.batch(true);
    for (let n = 0; n < length; n++) batch.create(exposures, complete(itemAt(first + n)));
    await batch.commit();
    await table.workJournal(exposures);
  }
}

/**
 * The records of the bench; `share` of them are deleted. Each batch is from one asset and one tool; one record of 200
 * is on an asset of its own.
 */
export const exposuresOf = (table: Table, { size, share }: { size: number; share: number }) => ({
  size,
  itemAt(ordinal: number): Exposure {
    const [own, shared] = [chanceAt(ordinal), chanceAt(-1 - Math.floor(ordinal / BATCH))];
    const n = ordinal + 1;
    const asset = `asset-${Math.floor(shared() * 50)}`;
    const fields = {
      title: `Weak cipher on port-${n % 1000} ${n % 400 === 0 ? 'heartbleed' : ''}`,
      tag: n % 2500 === 0 ? 'rare' : own() < 0.05 ? 'pci' : null,
      asset: n % 200 === 0 ? 'scattered' : asset,
      tool: `tool-${Math.floor(shared() * 4)}`,
      summary: '',
      text: null,
      ...drawn(own),
    };
    return table.stamp<Exposure>({ id: newIdAt(ordinal), ...fields });
  },
  complete: (item: Exposure): Exposure => sized(table, item),
  isDeleted: (ordinal: number): boolean => chanceAt(ordinal + 0.5)() < share,
});

/** Repeatable random numbers for one number. */
const chanceAt = (n: number): (() => number) => {
  const random = chance(1 + (Math.imul(Math.floor(2 * n), 2_654_435_761) >>> 2));
  random();
  return random;
};

const fingerprint = {
  name: 'print',
  about: 'a finding by its fingerprint',
  key: ({ hash }: { hash: string }) => [hash] as const,
};

/** A batch of complete new findings: detail, six words, fingerprint, tally, parent list. */
export async function ingest(table: Table, length: number): Promise<void> {
  const random = chance(7);
  const ids = await table.reserve(detailed, length);
  const batch = table.batch(true);
  for (const id of ids) {
    const title = 'Outdated nginx allows request smuggling CVE-2026-12345';
    const more = { title, tool: 'tool-1', tag: 'pci', asset: `asset-${id.length}`, summary: '', text: null };
    const item = sized(table, table.stamp<Exposure>({ id, ...more, ...drawn(random) }), 1000);
    batch.create(detailed, { ...item, text: 'x'.repeat(450) });
    const row = { hash: id, findingId: id };
    batch.write(putWrite(table.tenant, fingerprint, { row, expect: 'absent' }));
  }
  await batch.commit();
  await table.workJournal(detailed);
}

/** Removes the records that `exposuresOf` has as deleted, page by page. */
export async function remove(table: Table, isDeleted: (ordinal: number) => boolean): Promise<void> {
  const doomed: Parameters<typeof table.delete<Exposure, never>>[1][] = [];
  const { totalCount } = await table.list(exposures, { paginateFrom: 0, paginateSize: 1 });
  for (let paginateFrom = 0; paginateFrom < totalCount; paginateFrom += 500) {
    const { data } = await table.list(exposures, { paginateFrom, paginateSize: 500 });
    doomed.push(...data.filter(({ id }) => isDeleted(ordinalOf(id))));
  }
  for (let from = 0; from < doomed.length; from += 12) {
    const batch = table.batch();
    for (const item of doomed.slice(from, from + 12)) batch.delete(exposures, item);
    await batch.commit();
  }
}
