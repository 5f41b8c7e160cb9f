import { timeOf } from '../runtime/ids.ts';
import type { Entry } from '../table/changes.ts';

/**
 * An entry rests for so long before it gets its number: longer than clocks differ, and than a transaction takes to show
 * all of its rows. A change of a record is decided on the version before, so that one is then there to be seen.
 */
export const SETTLE_MS = 3_000;

/**
 * The entries that can be numbered now, in an order in which the versions of each record rise; otherwise in the order
 * of time. An entry that an older entry needs first goes with it, whatever its own clock says.
 * @param until milliseconds up to which the entries were read
 */
export function readyEntries(entries: readonly Entry[], until: number): Entry[] {
  const ordered = inOrder(entries);
  const last = ordered.findLastIndex(({ id }) => timeOf(id) <= until - SETTLE_MS);
  return ordered.slice(0, last + 1);
}

type Version = { version: number; entry: Entry };

function inOrder(entries: readonly Entry[]): Entry[] {
  const before = predecessors(entries);
  const ordered = new Set<Entry>();
  for (const entry of entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const waiting = [entry];
    for (let next = waiting.at(-1); next; next = waiting.at(-1)) {
      const missing = (before.get(next) ?? []).filter((one) => !ordered.has(one));
      waiting.push(...missing);
      if (missing.length > 0) continue;
      ordered.add(next);
      waiting.pop();
    }
  }
  return [...ordered];
}

/** For each entry those with the versions before its own. Transactions have an order, so there is no circle. */
function predecessors(entries: readonly Entry[]): Map<Entry, Entry[]> {
  const records = new Map<string, Version[]>();
  for (const entry of entries)
    for (const { entity, id, version } of entry.changes) {
      const versions = records.get(`${entity} ${id}`) ?? [];
      records.set(`${entity} ${id}`, versions);
      versions.push({ version, entry });
    }
  const before = new Map<Entry, Entry[]>();
  for (const versions of records.values()) {
    versions.sort((a, b) => a.version - b.version);
    for (const [n, { entry }] of versions.entries()) {
      const previous = versions[n - 1]?.entry;
      if (previous) before.set(entry, [...(before.get(entry) ?? []), previous]);
    }
  }
  return before;
}
