import { jsonEntries } from '../../readers/entries.ts';
import { draftOf, InventoryItem } from '../../readers/inventory-item.ts';
import { readInventory } from '../../readers/inventory-report.ts';
import type { OpenReport } from '../../report/report.ts';

/** `{"assets": [...]}`: assets with their services, software and identifiers. */
export const read = (open: OpenReport) =>
  readInventory({
    tool: 'inventory',
    entries: jsonEntries(open, 'assets'),
    draftsOf(value) {
      const { data } = InventoryItem.safeParse(value);
      return data && [draftOf(data)];
    },
    unusable: 'the asset lacks its type or value, or has a field of another form',
  });
