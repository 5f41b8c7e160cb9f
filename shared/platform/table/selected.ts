import type { Dynamo } from '../runtime/dynamo.ts';
import { invalid } from '../runtime/errors.ts';
import type { Entity, ListItem, Part, Stored } from './entity.ts';
import { rowsOfOrdinals } from './io/dense.ts';
import { workJournal } from './journal.ts';
import { keysOf } from './layout/keys.ts';
import { listItemOf } from './layout/record.ts';
import { findPositions, type Selection } from './list.ts';
import { sees } from './part.ts';
import { wholeRecords } from './whole.ts';

/**
 * The table of an organization. These are no methods of the table: few functions need them, and every function would
 * load them.
 */
type Place = { dynamo: Dynamo; tenant: string; part?: Part | undefined };

/**
 * The ordinals of all matching current records, newest first; works the notes of bulk batches first.
 * @throws validation_failed for a search that stopped before its last match
 */
export async function ordinalsOf<T extends Stored, D extends keyof T>(
  { dynamo, tenant, part }: Place,
  entity: Entity<T, D>,
  selection: Selection,
): Promise<number[]> {
  await workJournal(dynamo, keysOf(tenant, entity));
  const everything = { ...selection, consistent: true, paginateFrom: 0, paginateSize: Infinity };
  const { ordinals, complete } = await findPositions({ dynamo, tenant, entity, part }, everything);
  if (complete === false) throw invalid('search', TOO_MANY_WORDS);
  return ordinals;
}

const TOO_MANY_WORDS =
  'finds so many words that not all of their records are read: send longer words, or one in quotation marks';

/** The current records at these ordinals without detail fields, in no particular order. */
export async function recordsAt<T extends Stored, D extends keyof T>(
  { dynamo, tenant, part }: Place,
  entity: Entity<T, D>,
  ordinals: readonly number[],
): Promise<ListItem<T, D>[]> {
  const rows = await rowsOfOrdinals(dynamo, keysOf(tenant, entity).record, { ordinals, consistent: true });
  return rows.map((row) => listItemOf<T, D>(row)).filter((item) => sees(part, entity, item));
}

/** All matching current records without detail fields, in no particular order. @throws as `ordinalsOf` does */
export const recordsOf = async <T extends Stored, D extends keyof T>(
  place: Place,
  entity: Entity<T, D>,
  selection: Selection = {},
): Promise<ListItem<T, D>[]> => recordsAt(place, entity, await ordinalsOf(place, entity, selection));

/** The records at these ordinals with their detail fields, in this order; two round trips. */
export async function wholeRecordsAt<T extends Stored, D extends keyof T>(
  { dynamo, tenant, part }: Place,
  entity: Entity<T, D>,
  { ordinals, consistent = false }: { ordinals: readonly number[]; consistent?: boolean },
): Promise<T[]> {
  const found = await wholeRecords<T>(dynamo, keysOf(tenant, entity), { ordinals, consistent });
  return found.filter((item) => sees(part, entity, item));
}
