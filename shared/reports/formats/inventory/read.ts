import { jsonEntries, readEntries } from '../../entries.ts';
import { Inventories } from '../../inventories.ts';
import { addItem, InventoryItem } from '../../inventory-item.ts';
import type { JsonObject } from '../../json.ts';
import type { OpenReport, ReportEvent } from '../../report.ts';

/** `{"assets": [...]}`: assets with their services, software and identifiers. It has no findings and closes none. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'inventory' };
  const inventories = new Inventories();
  const take = (value: JsonObject) => {
    const { data } = InventoryItem.safeParse(value);
    if (!data) return undefined;
    addItem(inventories, data);
    return [];
  };
  yield* readEntries(
    jsonEntries(open, 'assets'),
    take,
    'the asset lacks its type or value, or has a field of another form',
  );
  yield* inventories.events();
  yield { kind: 'incomplete', reason: 'an inventory proves no problem gone' };
}
