import type { Contribution } from './contribution.ts';
import type { Entity, ListItem, Stored } from './entity.ts';
import type { Row } from './commit.ts';
import type { Keys } from './keys.ts';

/** What a record that was read added to the rows around it; kept aside so that answers carry the record alone. */
const contributions = new WeakMap<object, Contribution>();

export const contributionRead = (item: object): Contribution => {
  const contribution = contributions.get(item);
  if (!contribution) throw new Error('only a record that was read from the table can be changed');
  return contribution;
};

/** Makes a record out of its rows. `_` attributes are the store's own. */
export function recordOf<T extends Stored>(row: Row, detail?: Row): T {
  const { _f, _x, _s } = row;
  const item = { ...fieldsOf(row), ...(detail && fieldsOf(detail)) } as unknown as T;
  contributions.set(item, { f: _f, x: _x, s: _s } as Contribution);
  return item;
}

const fieldsOf = (row: Row): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('_') && name !== 'pk' && name !== 'sk'));

/** The rows of a record: the list row, and the detail row where the entity has long fields. */
export function rowsOf<T extends Stored, D extends keyof T>(
  entity: Entity<T, D>,
  item: T,
  place: { keys: Keys; ordinal: number; contribution: Contribution },
): { main: Row; detail: Row | undefined } {
  const { keys, ordinal, contribution } = place;
  const short: Record<string, unknown> = { ...item };
  const long: Record<string, unknown> = {};
  for (const field of entity.detail as readonly string[]) {
    long[field] = short[field];
    delete short[field];
  }
  const { f: _f, x: _x, s: _s } = contribution;
  const main = { ...short, _f, _x, _s, ...keys.record(ordinal) };
  return { main, detail: entity.detail.length === 0 ? undefined : { ...long, ...keys.detail(ordinal) } };
}

export const listItemOf = <T extends Stored, D extends keyof T>(row: Row): ListItem<T, D> => recordOf<T>(row) as ListItem<T, D>;
