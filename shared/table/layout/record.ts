import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Entity, ListItem, Stored } from '../entity.ts';
import { NOTHING } from './contribution.ts';
import type { Keys, Row } from './keys.ts';
import { type Contribution, pack, packedIn, storedContribution, unpack } from './packed.ts';

/** Attributes of a record's row that are no fields of the record; kept aside, so that answers lack them. */
type Origin = {
  /** The stored contribution. Writes are conditional on it, because `rekey` may change it meanwhile. */
  packed: string;
  /** The version that wrote the detail row, if there is one. */
  detailVersion: number | undefined;
  /** True if the detail fields were read too. */
  complete: boolean;
};

const origins = new WeakMap<object, Origin>();

export function originOf(item: object): Origin {
  const origin = origins.get(item);
  if (!origin) throw new Error('only a record that was read from the table can be changed');
  return origin;
}

export const setOrigin = (item: object, origin: Origin): void => void origins.set(item, origin);

export const contributionIn = (row: Row): Contribution => (row._c === undefined ? NOTHING : unpack(packedIn(row._c)));

/** Makes a record of its rows. Attributes that begin with `_` are the store's own. */
export function recordOf<T extends Stored>(row: Row, detail?: Row): T {
  const item = { ...fieldsOf(row), ...(detail && longFieldsOf(detail)) } as unknown as T;
  origins.set(item, originIn(row, detail !== undefined));
  return item;
}

export const originIn = (row: Row, withDetail: boolean): Origin => ({
  packed: packedIn(row._c),
  detailVersion: row._d as number | undefined,
  complete: withDetail || row._d === undefined,
});

const fieldsOf = (row: Row): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('_') && name !== 'pk' && name !== 'sk'));

/** Long fields are stored deflated: texts and evidence of 1.5 KB then take one unit to write instead of two. */
export function storedDetail({ pk, sk, _v, ...long }: Row): Row {
  return { pk, sk, _v, _z: deflateRawSync(JSON.stringify(long)) };
}

/** A row that is not stored yet, and one of release 1.7, has them as attributes. */
const longFieldsOf = (row: Row): Record<string, unknown> =>
  row._z === undefined ? fieldsOf(row) : JSON.parse(inflateRawSync(row._z as Uint8Array).toString());

/**
 * True if two rows are of the same moment. A detail row is written only when it changes; it carries the version that
 * wrote it, and the record's row names that version.
 */
export const belongTogether = (row: Row, detail: Row | undefined): boolean =>
  row._d === undefined || row._d === detail?._v;

/** The rows of a record: the list row, and the detail row where the entity has long fields. */
export function rowsOf<T extends Stored, D extends keyof T>(
  entity: Entity<T, D>,
  item: T,
  place: { keys: Keys; ordinal: number; contribution: Contribution; detailVersion: number | undefined },
): { main: Row; detail: Row } {
  const { keys, ordinal, contribution, detailVersion: version } = place;
  const short: Record<string, unknown> = { ...item };
  const long: Record<string, unknown> = {};
  for (const field of entity.detail as readonly string[]) {
    long[field] = short[field];
    delete short[field];
  }
  const main = { ...short, _c: storedContribution(pack(contribution)), _d: version, ...keys.record(ordinal) };
  return { main, detail: { ...long, _v: version, ...keys.detail(ordinal) } };
}

export const listItemOf = <T extends Stored, D extends keyof T>(row: Row): ListItem<T, D> =>
  recordOf<T>(row) as ListItem<T, D>;
