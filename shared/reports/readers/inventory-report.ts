import type { ReportEvent } from '../report/report.ts';
import { type Entry, readEntries } from './entries.ts';
import { Inventories, type InventoryDraft } from './inventories.ts';
import type { JsonObject } from './json.ts';
import { bounded } from './text.ts';

type Inventory = {
  tool: string;
  entries: AsyncIterable<Entry>;
  /** The asset of an entry; several assets, [] for an entry that is no asset, undefined for an unusable entry. */
  draftsOf: (value: JsonObject) => readonly InventoryDraft[] | undefined;
  unusable: string;
};

/** The events of a report that lists assets and no problems, and so closes none. */
export async function* readInventory({ tool, entries, draftsOf, unusable }: Inventory): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: tool };
  const inventories = new Inventories();
  const take = (value: JsonObject) => {
    const drafts = draftsOf(value);
    for (const draft of drafts ?? []) inventories.add(draft);
    return drafts && [];
  };
  yield* readEntries(entries, take, unusable);
  yield* inventories.events();
  yield { kind: 'incomplete', code: 'no_scan' };
}

/** Tags or labels of a cloud, without values that are no texts. */
export const tagsOf = (tags: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object(tags))
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== '')
      .slice(0, MAX_TAGS)
      .map(([name, value]) => [bounded(name, 128), bounded(value, 256)]),
  );

const MAX_TAGS = 50;
