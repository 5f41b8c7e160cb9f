import { type DeliveryRow, deliveryPlaces } from '#shared/platform/outgoing/delivery.ts';
import { inList } from '#shared/platform/outgoing/ledger.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import { stored } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** The kinds of records that show who was notified of them. Each place costs a write. */
const KINDS: readonly string[] = ['alert'];

type Telling = { delivery: DeliveryRow; subjects: readonly string[] };

/** Puts deliveries into the lists of the records that they name. As with other places, this comes before the deliveries. */
export async function listWithRecords({ tenant, dynamo }: Table, telling: readonly Telling[]): Promise<void> {
  const places = telling.flatMap(({ delivery, subjects }) =>
    [...new Set(subjects)]
      .filter((subject) => KINDS.includes(subject.split('/')[0] ?? ''))
      .map((subject) => stored(tenant, deliveryPlaces, inList(delivery, subject))),
  );
  if (places.length > 0) await writeRows(dynamo, { put: places });
}
