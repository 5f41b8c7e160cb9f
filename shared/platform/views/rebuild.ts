import { keysOf } from '../table/layout/keys.ts';
import type { Table } from '../table/table.ts';
import { nextOrdinal, recordsAfter } from '../table/upkeep/walk.ts';
import { contributorsBetween } from './contributed.ts';
import { refresh } from './refresh.ts';
import { sourcesOf, type View } from './view.ts';

/** The place up to which the sources of all views were walked. */
export type Walked = { source: number; afterOrdinal: number; seen: number };

/** Records of a step, which ends with a checkpoint. */
const STEP = 200;

/**
 * Compares some more records with their contributions, and applies all of these again: for views that a release added
 * or changed, and for changes before anybody followed. Runs beside the reader of the feed.
 * @returns undefined at the end
 */
export async function rebuildStep(
  table: Table,
  views: readonly View[],
  { source: n, afterOrdinal, seen }: Walked,
): Promise<Walked | undefined> {
  const entity = sourcesOf(views)[n];
  if (!entity) return undefined;
  const keys = keysOf(table.tenant, entity);
  const { rows, next } = await recordsAfter(table.dynamo, keys, { afterOrdinal, limit: STEP });
  const to = next ?? (await nextOrdinal(table.dynamo, keys)) - 1;
  // also of deleted records
  const known = await contributorsBetween(table, entity.name, { from: afterOrdinal + 1, to });
  await refresh(table, views, {
    entity: entity.name,
    ids: [...rows.map(({ id }) => String(id)), ...known],
    again: true,
  });
  const walked = seen + rows.length;
  return next === undefined
    ? { source: n + 1, afterOrdinal: -1, seen: walked }
    : { source: n, afterOrdinal: next, seen: walked };
}
