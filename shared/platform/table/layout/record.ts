import { hash } from 'node:crypto';
import type { Entity, ListItem, Stored } from '../entity.ts';
import { contentIn, packContent } from './content.ts';
import { NOTHING } from './contribution.ts';
import type { Keys, Row } from './keys.ts';
import { type Contribution, type Packed, pack, unpack } from './packed.ts';

/** Facts about a record's rows that are not fields of the record; stored aside, so that answers lack them. */
type Origin = {
  /** Identifies the stored contribution: writes are conditional on it, because `rekey` may change it meanwhile. */
  mark: unknown;
  contribution: () => Contribution;
  /** The version that wrote the detail row, if there is one. */
  detailVersion: number | undefined;
  /** Detail fields in the record's own row that the record does not show. */
  aside: Fields | undefined;
  /** True if the record shows its detail fields. */
  complete: boolean;
};
type Fields = Record<string, unknown>;

const origins = new WeakMap<object, Origin>();

export function originOf(item: object): Origin {
  const origin = origins.get(item);
  if (!origin) throw new Error('only a record that was read from the table can be changed');
  return origin;
}

/** The record stays as it was read; only its contribution has changed. */
export const takeOrigin = (item: object, row: Row): void =>
  void origins.set(item, { ...originOf(item), ...markIn(row), ...detailIn(row) });

export function contributionIn(row: Row): Contribution {
  return row._c === undefined ? NOTHING : unpack(contentOf(row).packed);
}

/** Makes a record of its rows, with its detail fields. */
export function recordOf<T extends Stored>(row: Row, detail?: Row): T {
  const { fields, long } = contentOf(row);
  const item = { ...fields, ...(detail ? longFieldsOf(detail) : long) } as unknown as T;
  const complete = detail !== undefined || row._d === undefined;
  origins.set(item, { ...markIn(row), ...detailIn(row), aside: undefined, complete });
  return item;
}

/** The record as these unstored rows will hold it. */
export function recordTo<T extends object>(item: T, { main, contribution, complete, aside }: Written): T {
  const record = { ...item };
  origins.set(record, { mark: main._c, contribution: () => contribution, ...detailIn(main), aside, complete });
  return record;
}

type Written = { main: Row; contribution: Contribution } & Pick<Origin, 'complete' | 'aside'>;

/** Makes a record of its list row, without its detail fields. */
export function listItemOf<T extends Stored, D extends keyof T>(row: Row): ListItem<T, D> {
  const { fields, long } = contentOf(row);
  const item = { ...fields } as unknown as ListItem<T, D>;
  const complete = long === undefined && row._d === undefined;
  origins.set(item, { ...markIn(row), ...detailIn(row), aside: long, complete });
  return item;
}

const markIn = (row: Row) => ({ mark: row._c, contribution: () => contributionIn(row) });
const detailIn = (row: Row) => ({ detailVersion: row._d as number | undefined });

type Content = { fields: Fields; packed: Packed; long?: Fields };

/** The content of a record's row. */
function contentOf(row: Row): Content {
  const [fields, packed, long] = contentIn(row._j) as [Fields, Packed, Fields?];
  return { fields: { id: row.id, ...fields, version: row.version }, packed, ...(long && { long }) };
}

const longFieldsOf = (row: Row): Fields => contentIn(row._j) as Fields;

/**
 * True if two rows are from the same moment. A detail row is written only when it changes; it has the version that
 * wrote it, and the record's row names that version.
 */
export const belongTogether = (row: Row, detail: Row | undefined): boolean =>
  row._d === undefined || row._d === detail?._v;

/** Detail fields: known ones, or the row of this version, which stays unchanged. */
type Details = { fields: Fields | undefined; inside?: boolean } | { version: number };
type Placed = { keys: Keys; ordinal: number; contribution: Contribution; details: Details };

/** A write of a shorter row costs as much as of 1 KB; with the details inside, it is the record's only row. */
const ONE_UNIT = 1024;
/** The names and values of the other attributes: keys, id, version, `_c`, `_d`. */
const OTHER_BYTES = 140;
/** No text is deflated to less than an eighth, so a longer one is not tried. */
const LONGEST = 8 * ONE_UNIT;

/**
 * The rows of a record: its own, and one of its detail fields where both would be longer than 1 KB.
 * @param inside keeps the detail fields in the record's own row, however long it is
 */
export function rowsOf<T extends Stored, D extends keyof T>(
  entity: Entity<T, D>,
  item: T,
  { keys, ordinal, contribution, details }: Placed,
): { main: Row; detail?: Row } {
  const { id, version, ...fields } = shortFieldsOf(entity, item);
  const packed = pack(contribution);
  const mark = hash('sha1', packed, 'base64url').slice(0, 16);
  const row = (text: string, detailVersion?: number): Row => ({
    ...keys.record(ordinal),
    id,
    version,
    _c: mark,
    _d: detailVersion,
    _j: packContent(`[${text}]`),
  });
  const short = `${JSON.stringify(fields)},${packed}`;
  if ('version' in details) return { main: row(short, details.version) };
  if (!details.fields) return { main: row(short) };
  const long = JSON.stringify(details.fields);
  const { inside = false } = details;
  const whole = inside || short.length + long.length <= LONGEST ? row(`${short},${long}`) : undefined;
  if (whole && (inside || (whole._j as Uint8Array).length + OTHER_BYTES <= ONE_UNIT)) return { main: whole };
  const detail = { ...keys.detail(ordinal), _v: version, _j: packContent(long) };
  return { main: row(short, item.version), detail };
}

/** The detail fields of a complete record. */
export const longFieldsIn = <T extends Stored, D extends keyof T>(entity: Entity<T, D>, item: T): Fields | undefined =>
  entity.detail.length === 0 ? undefined : Object.fromEntries(entity.detail.map((field) => [field, item[field]]));

function shortFieldsOf<T extends Stored, D extends keyof T>(entity: Entity<T, D>, item: T): Fields {
  const long: readonly PropertyKey[] = entity.detail;
  const fields: Fields = {};
  for (const field in item) if (!long.includes(field)) fields[field] = item[field];
  return fields;
}
