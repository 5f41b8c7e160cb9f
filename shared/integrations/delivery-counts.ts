import type { Write } from '../table/io/commit.ts';
import { defineRow, rowKey } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';

type CountKey = { integrationId: string };

/** Of each kind of event, how many were taken since the beginning. */
export const deliveryCounts = defineRow<Record<string, number>, CountKey>({
  name: 'delivery-counts',
  about: 'how many events of each kind the payment processor sent; global scope',
  key: ({ integrationId }) => [integrationId],
});

/** Counts an event in the transaction that keeps it. */
export const countDelivery = ({ scope }: Table, integrationId: string, event: string): Write => ({
  change: rowKey(scope, deliveryCounts, { integrationId }),
  add: { [event]: 1 },
});
