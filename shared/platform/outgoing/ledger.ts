import { type Write, writeRows } from '../table/io/commit.ts';
import { putWrite, stored } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import { type DeliveryPlace, type DeliveryRow, deliveryPlaces, failedList, sentDeliveries } from './delivery.ts';

export const hasFailed = (row: DeliveryRow | undefined): boolean => row?.status === 'failed' || row?.status === 'dead';

/** The place of a delivery in a list. */
export const inList = ({ createdAt, targetId, id }: DeliveryRow, list: string): DeliveryPlace => ({
  list,
  createdAt,
  targetId,
  id,
});

const dayOf = (row: DeliveryRow): DeliveryPlace => inList(row, row.createdAt.slice(0, 10));

/**
 * Keeps a delivery as it is now. Its places come before it and go after it: a list leaves out a place whose delivery is not there or is in another
 * state, so that no transaction has to pay for both.
 * @param was the delivery as it is stored
 */
export async function keepDelivery(table: Table, row: DeliveryRow, was?: DeliveryRow): Promise<void> {
  const places = table.rows(deliveryPlaces);
  if (!was) await places.put(dayOf(row));
  const failed = [failedList(), failedList(row.targetId)].map((list) => inList(row, list));
  if (hasFailed(row) && !hasFailed(was)) for (const place of failed) await places.put(place);
  await table.rows(sentDeliveries).put(row);
  if (hasFailed(was) && !hasFailed(row)) for (const place of failed) await places.remove(place);
}

/** Puts new deliveries into the lists of their days, before the deliveries themselves. */
export const putPlaces = ({ dynamo, tenant }: Table, rows: readonly DeliveryRow[]): Promise<void> =>
  writeRows(dynamo, { put: rows.map((row) => stored(tenant, deliveryPlaces, dayOf(row))) });

/** Keeps deliveries that are in their lists, and in none of failures before or after. */
export const putDeliveries = ({ dynamo, tenant }: Table, rows: readonly DeliveryRow[]): Promise<void> =>
  writeRows(dynamo, { put: rows.map((row) => stored(tenant, sentDeliveries, row)) });

/** The writes of a new delivery, for the transaction that sends it. */
export const deliveryWrites = ({ tenant }: Table, row: DeliveryRow): Write[] => [
  putWrite(tenant, deliveryPlaces, { row: dayOf(row) }),
  putWrite(tenant, sentDeliveries, { row }),
];
