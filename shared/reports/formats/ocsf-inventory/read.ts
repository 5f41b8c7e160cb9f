import { documentEntries } from '../../readers/entries.ts';
import type { InventoryDraft } from '../../readers/inventories.ts';
import { readInventory } from '../../readers/inventory-report.ts';
import { indexAt, type JsonObject } from '../../readers/json.ts';
import type { OpenReport } from '../../report/report.ts';
import { deviceDrafts, resourceDrafts, softwareDrafts } from './drafts.ts';

const CLASSES = new Map<number | undefined, (event: JsonObject) => InventoryDraft[] | undefined>([
  [5001, deviceDrafts],
  [5020, softwareDrafts],
  [5023, resourceDrafts],
]);

/** Events of OCSF's discovery category; events of other classes are skipped. */
export const read = (open: OpenReport) =>
  readInventory({
    tool: 'OCSF',
    entries: documentEntries(open, {
      lists: [['events']],
      isEntry: (first) => indexAt(first, 'class_uid') !== undefined,
    }),
    draftsOf(event) {
      const uid = indexAt(event, 'class_uid');
      return uid === undefined ? undefined : (CLASSES.get(uid) ?? (() => []))(event);
    },
    unusable: 'the event names no class, device or resource',
  });
