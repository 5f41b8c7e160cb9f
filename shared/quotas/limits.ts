import { nowMs } from '../runtime/clock.ts';
import type { Dynamo } from '../runtime/dynamo.ts';
import { givenFields } from '../runtime/given.ts';
import { defineRow } from '../table/io/row.ts';
import { openTable, type Table } from '../table/table.ts';
import { OrganizationLimits } from './quotas.ts';

/** Only the limits that differ from their defaults are stored, so that a later default reaches the others. */
type StoredLimits = Partial<OrganizationLimits> & { version?: number };

export const limitRows = defineRow<StoredLimits, object>({
  name: 'organization-limits',
  about: "an organization's limits, as far as staff set them",
  key: () => ['all'],
});

/** The limits that staff set. */
export const changedLimits = async (table: Table): Promise<Partial<OrganizationLimits>> =>
  givenFields(OrganizationLimits, (await table.rows(limitRows).find({})) ?? {});

export const readLimits = async (table: Table): Promise<OrganizationLimits> =>
  OrganizationLimits.parse(await changedLimits(table));

const KEEP_MS = 60_000;
const MAX_KEPT = 10_000;

type KnownLimits = { limits: Promise<OrganizationLimits>; until: number };
const caches = new WeakMap<Dynamo, Map<string, KnownLimits>>();

const cacheOf = (dynamo: Dynamo): Map<string, KnownLimits> => {
  const cache = caches.get(dynamo) ?? new Map<string, KnownLimits>();
  caches.set(dynamo, cache);
  return cache;
};

/** The limits, at most a minute old: one read per organization, process and minute. */
export function knownLimits(dynamo: Dynamo, organizationId: string): Promise<OrganizationLimits> {
  const cache = cacheOf(dynamo);
  const kept = cache.get(organizationId);
  if (kept && kept.until > nowMs()) return kept.limits;
  const limits = readLimits(openTable(dynamo, organizationId));
  cache.delete(organizationId); // keeps the map in the order of the reads
  cache.set(organizationId, { limits, until: nowMs() + KEEP_MS });
  const [oldest] = cache.keys();
  if (cache.size > MAX_KEPT && oldest !== undefined) cache.delete(oldest);
  limits.catch(() => cache.delete(organizationId));
  return limits;
}
