import { isOpen } from '#shared/findings/finding/finding-status.ts';
import { allSeen, type SeenRecord } from '#shared/findings/view/scan-state.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { rowsOf } from '../lookup.ts';
import type { Undo } from './undo.ts';

/**
 * The sightings of the scope without the import: none of findings that are gone or fixed again, and those of findings that
 * are open again as they were before, so that a later scan may close these. It follows from the findings as they are now.
 */
export async function stateWithout({
  table,
  entity,
  state,
  later,
  at,
  closed,
  reopened,
  updated,
}: Undo): Promise<SeenRecord[]> {
  const current = [...allSeen(state)];
  // Newer sightings are those of scans that were undone before, unless a later scan of the scan scope remains.
  const isLast = !later.includes(state);
  const isOfImport = ({ seenAt }: SeenRecord) => seenAt === Date.parse(at) || (isLast && seenAt > Date.parse(at));
  const mine = current.filter(isOfImport).map(({ id }) => id);
  const rows = new Map<string, { status: Parameters<typeof isOpen>[0] }>();
  for (const some of chunksOf([...new Set([...mine, ...closed.keys(), ...reopened.keys()])], 1000))
    for (const [id, row] of await rowsOf({ table, entity }, some)) rows.set(id, row);
  const isMine = new Set(mine);
  const left = current.flatMap((record) => {
    const { id } = record;
    const [row, was] = [rows.get(id), updated.get(id)];
    if (reopened.has(id)) return row?.status !== 'fixed' ? [record] : [];
    if (!isMine.has(id)) return [record];
    if (row && was) return was.seen ? [was.seen] : [];
    return row ? [record] : [];
  });
  const known = new Set(left.map(({ fingerprint }) => fingerprint));
  const back = [...closed.values()].flatMap(({ id, seen }) => {
    const row = rows.get(id);
    return seen && row && isOpen(row.status) && !known.has(seen.fingerprint) ? [seen] : [];
  });
  return [...left, ...back];
}
