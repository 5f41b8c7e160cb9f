import { tallyCounts } from '#shared/platform/http/value-counts.ts';
import { now, secondsAfter } from '#shared/platform/runtime/clock.ts';
import { random } from '#shared/platform/runtime/random.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, rowKey, stored } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

type CountKey = { integrationId: string; event: string; lane: number };
type CountRow = CountKey & { lastAt: string };

const KEPT_SECONDS = 400 * 86_400;

export const deliveryCounts = defineRow<CountRow & { n: number }, Omit<CountRow, 'lastAt'>>({
  name: 'delivery-count',
  about: 'how many events of a kind came to an integration, or to the account of the payment processor, in lanes',
  key: ({ integrationId, event, lane }) => [integrationId, `${event}#${lane}`],
  expiresAt: ({ lastAt }) => secondsAfter(lastAt, KEPT_SECONDS),
});

/** Deliveries that come at the same moment seldom meet in one row. */
const LANES = 8;

/** Counts an event in the transaction that keeps it. */
export function countDelivery({ tenant }: Table, integrationId: string, event: string): Write {
  const row = { integrationId, event, lane: Math.floor(random() * LANES), lastAt: now() };
  const { pk: _pk, sk: _sk, n: _n, ...set } = stored(tenant, deliveryCounts, { ...row, n: 1 });
  return { change: rowKey(tenant, deliveryCounts, row), set, add: { n: 1 } };
}

/** The kinds of events that came with how many of each, most frequent first. Deliveries are kept for a shorter time than their numbers. */
export async function countsOf(table: Table, integrationId: string) {
  const counts = new Map<string, number>();
  for (const { event, n } of await table.rows(deliveryCounts).query(integrationId))
    counts.set(event, (counts.get(event) ?? 0) + n);
  return tallyCounts(
    [...counts].map(([value, n]) => ({ value, counts: { n } })),
    () => null,
    (event) => event ?? '',
  );
}
