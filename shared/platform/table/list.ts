import type { Dynamo } from '../runtime/dynamo.ts';
import { ApiError } from '../runtime/errors.ts';
import { isId, ordinalOf } from '../runtime/ids.ts';
import { blockCounts, blocksOfPage, countsWithout, runsOf } from './blocks.ts';
import { everyBit, type Marked, pickBits } from './combined.ts';
import type { Entity, ListItem, Part, Stored } from './entity.ts';
import { rowsOfOrdinals } from './io/dense.ts';
import { queryDigits } from './io/read.ts';
import { type Bits, both, countOf, hasOrdinal, newestOf, without } from './layout/bits.ts';
import { listName } from './layout/contribution.ts';
import { blockIn, type Keys, keysOf, ordinalText, type Row } from './layout/keys.ts';
import { cellMatches, readMask, type Shape } from './layout/positions.ts';
import { listItemOf } from './layout/record.ts';
import { given, inOrder, type MarkQuery, markedOf, matching } from './match.ts';
import { orderedPositions } from './ordered.ts';
import { type PageRange, pageNumbers, type SearchPage } from './paging.ts';
import { seenIn, sees } from './part.ts';

export type ListQuery = PageRange & {
  /** The list of one parent, by its name: `{asset: id}`. Without an id the whole collection. */
  parent?: Record<string, string | undefined>;
  /** Values of declared dimensions. */
  filter?: Record<string, string | undefined>;
  /**
   * An order that the entity declares; without it the newest come first. Without a filter only an order in which every
   * record has a place: the total counts all records.
   */
  sort?: string;
  /** Puts all records of the list in an order that the index does not have; it bounds what it reads. */
  rank?: Rank;
  /** For records that will change: a write of a moment ago counts. */
  consistent?: boolean;
} & MarkQuery;

/** Puts the places of records, newest first, in another order. */
type Rank = (ordinals: readonly number[]) => Promise<readonly number[]>;

type Source<T extends Stored, D extends keyof T> = {
  dynamo: Dynamo;
  tenant: string;
  entity: Entity<T, D>;
  part?: Part | undefined;
};

/** A query with the condition of the records that the caller sees. */
function ofSeen<Q extends MarkQuery>(
  { entity, part }: { entity: Pick<Entity, 'name' | 'inPart'>; part?: Part | undefined },
  query: Q,
): Q {
  const seen = seenIn(entity, part);
  return seen === 'everything' ? query : { ...query, matching: { all: [query.matching ?? 'everything', seen] } };
}

/** A page of a list, newest first: three round trips at any offset and any size of the collection. */
export const listPage = async <T extends Stored, D extends keyof T>(
  source: Source<T, D>,
  query: ListQuery,
): Promise<SearchPage<ListItem<T, D>>> => (await listPageBeside(source, query, async () => undefined)).page;

/** The same page; `readBeside` reads other rows by the records' ordinals in the round trip that reads the records. */
export async function listPageBeside<T extends Stored, D extends keyof T, B>(
  source: Source<T, D>,
  query: ListQuery,
  readBeside: (ordinals: number[]) => Promise<B>,
): Promise<{ page: SearchPage<ListItem<T, D>>; beside: B }> {
  const { dynamo, tenant, entity } = source;
  if (query.ids) {
    const page = await pageOfIds(source, { ...query, ids: query.ids });
    return { page, beside: await readBeside(page.data.map(({ id }) => ordinalOf(id))) };
  }
  const positions = await findPositions(source, query);
  const [rows, beside] = await Promise.all([
    fetchOrdinals(dynamo, keysOf(tenant, entity), positions),
    readBeside(positions.ordinals),
  ]);
  const data = rows.map((row) => listItemOf<T, D>(row));
  const truncated = positions.complete === false && { truncated: true as const };
  return { page: { data, ...pageNumbers(query, positions.total), ...truncated }, beside };
}

/** The records of a list with these ids, in its order and in one page: one round trip, which reads no index. */
async function pageOfIds<T extends Stored, D extends keyof T>(
  source: Source<T, D>,
  { ids, sort, rank, paginateFrom, paginateSize, ...conditions }: ListQuery & { ids: readonly string[] },
): Promise<SearchPage<ListItem<T, D>>> {
  const read = await recordsOfIds(source, ids, conditions.consistent);
  const found = read.filter(matching(conditions)).sort((a, b) => ordinalOf(b.id) - ordinalOf(a.id));
  const placed = sort === undefined ? found : inOrder(found, sort);
  const ordered = rank ? await ranked(placed, rank) : placed;
  const range = { paginateFrom, paginateSize: Math.max(paginateSize, ids.length) };
  return { data: ordered.slice(paginateFrom), ...pageNumbers(range, ordered.length) };
}

async function ranked<T extends Stored>(items: readonly T[], rank: Rank): Promise<T[]> {
  const byOrdinal = new Map(items.map((item) => [ordinalOf(item.id), item]));
  return (await rank([...byOrdinal.keys()])).flatMap((ordinal) => byOrdinal.get(ordinal) ?? []);
}

/** The records of these ids without detail fields, in the order of the ids; ids of no record are left out. */
export async function recordsOfIds<T extends Stored, D extends keyof T>(
  { dynamo, tenant, entity, part }: Source<T, D>,
  ids: readonly string[],
  consistent = false,
): Promise<ListItem<T, D>[]> {
  const unique = [...new Set(ids)].filter(isId);
  // ids of two organizations may have the same ordinal, and DynamoDB refuses a key that is asked for twice
  const ordinals = [...new Set(unique.map(ordinalOf))];
  const rows = await rowsOfOrdinals(dynamo, keysOf(tenant, entity).record, { ordinals, consistent });
  const byKey = new Map(rows.map((row) => [row.sk, row]));
  return unique.flatMap((id) => {
    const row = byKey.get(ordinalText(ordinalOf(id)));
    const item = row?.id === id ? listItemOf<T, D>(row) : undefined;
    return item && sees(part, entity, item) ? [item] : [];
  });
}

/** A query of a list without a page and an order. */
export type Selection = Omit<ListQuery, keyof PageRange | 'sort' | 'rank'>;

/** The number of records that match each filter: one read for all filters. */
export async function countMatching<T extends Stored, D extends keyof T>(
  source: Source<T, D>,
  { parent, filters }: Pick<ListQuery, 'parent'> & { filters: readonly Record<string, string>[] },
): Promise<number[]> {
  const { dynamo, tenant, entity, part } = source;
  if (seenIn(entity, part) !== 'everything') {
    const none = { parent, paginateFrom: 0, paginateSize: 0 };
    const found = await Promise.all(filters.map((filter) => findPositions(source, { ...none, filter })));
    return found.map(({ total }) => total);
  }
  const { name, shape } = listOf(entity, { parent });
  const pages = await queryDigits(dynamo, keysOf(tenant, entity).pages(name));
  return filters.map((filter) => {
    const wanted = checkedFilter(shape, filter);
    const counts = blockCounts(shape, pages, (cell) => cellMatches(shape, cell, wanted));
    return counts.reduce((sum, { matching }) => sum + matching, 0);
  });
}

type Positions = { ordinals: number[]; total: number; dense: boolean; complete?: boolean };

/** The places of the records of a page. */
export async function findPositions<T extends Stored, D extends keyof T>(
  source: Source<T, D>,
  { rank, ...asked }: ListQuery,
): Promise<Positions> {
  if (rank) {
    const all = await findPositions(source, { ...asked, paginateFrom: 0, paginateSize: Infinity });
    const { paginateFrom, paginateSize } = asked;
    const ordinals = (await rank(all.ordinals)).slice(paginateFrom, paginateFrom + paginateSize);
    return { ...all, ordinals, dense: false };
  }
  const query = ofSeen(source, asked);
  const { where, between, search, matching, sort } = query;
  const parents = given(query.parent ?? {});
  const isCombined = source.entity.indexed !== undefined && parents.length > 1;
  const values = [...parents, ...given(query.filter ?? {})];
  const isSorted = sort !== undefined && (values.length > 0 || matching !== undefined);
  const isMarked = where || between || search !== undefined || (matching ?? 'everything') !== 'everything';
  if (isMarked || isCombined || isSorted) {
    const wanted = values.map(([name, value]): Marked => ({ name, values: [value] }));
    return findMarked(source, { all: [...wanted, markedOf(query)] }, query);
  }
  if (sort !== undefined) return findOrdered(source, { ...query, sort });
  return findListed(source, query);
}

/** The places of the records of a page in a list, without those of others. */
async function findListed<T extends Stored, D extends keyof T>(
  { dynamo, tenant, entity }: Source<T, D>,
  query: Omit<ListQuery, keyof MarkQuery>,
  others: Promise<Bits> | Bits = new Map(),
): Promise<Positions> {
  const { consistent } = query;
  const { name, shape } = listOf(entity, query);
  const filter = checkedFilter(shape, query.filter);
  const matches = (cell: number) => cellMatches(shape, cell, filter);
  const keys = keysOf(tenant, entity);
  const [pages, excluded] = await Promise.all([queryDigits(dynamo, { ...keys.pages(name), consistent }), others]);
  const counts = countsWithout(shape, blockCounts(shape, pages, matches), excluded);
  const { wanted, skip } = blocksOfPage(counts, query);
  const masks = await Promise.all(
    runsOf(shape, counts, wanted).map(({ newest, oldest }) =>
      queryDigits(dynamo, { ...keys.masks(name, oldest, newest), consistent }),
    ),
  );
  const ordinals = masks.flat().flatMap((row) => {
    const block = blockIn(row.sk);
    return wanted.has(block) ? readMask(shape, block, row, matches).filter((one) => !hasOrdinal(excluded, one)) : [];
  });
  return {
    ordinals: ordinals.sort((a, b) => b - a).slice(skip, skip + query.paginateSize),
    total: counts.reduce((sum, { matching }) => sum + matching, 0),
    dense: name === '' && Object.keys(filter).length === 0 && excluded.size === 0,
  };
}

/** Values, orders and words together with dimensions and parents, all as marks. */
async function findMarked<T extends Stored, D extends keyof T>(
  source: Source<T, D>,
  marked: Marked,
  { sort, consistent, paginateFrom, paginateSize }: ListQuery,
): Promise<Positions> {
  const range = { paginateFrom, paginateSize };
  const { picked, isRest } = pickBits({ ...source, consistent }, marked);
  if (sort !== undefined) return findSorted(source, { picked, isRest, by: sort, ...range });
  if (!isRest) {
    const { bits, complete } = await picked;
    const ordinals = newestOf(bits, { from: paginateFrom, size: paginateSize });
    return { ordinals, total: countOf(bits), dense: false, complete };
  }
  const others = picked.then(({ bits }) => bits);
  const [positions, { complete }] = await Promise.all([findListed(source, { consistent, ...range }, others), picked]);
  return { ...positions, complete };
}

type Sorted = ReturnType<typeof pickBits> & { by: string } & PageRange;

async function findSorted<T extends Stored, D extends keyof T>(
  source: Source<T, D>,
  { picked, by, isRest, ...range }: Sorted,
): Promise<Positions> {
  const all = isRest ? countMatching(source, { filters: [{}] }) : [];
  const within = Promise.all([picked, all]).then(([{ bits }, [count = 0]]) =>
    isRest
      ? {
          total: count - countOf(bits),
          among: (some: Bits) => without(some, bits),
          whole: async () => without(await everyBit(source), bits),
        }
      : { total: countOf(bits), among: (some: Bits) => both(some, bits), whole: async () => bits },
  );
  const ordered = orderedPositions(source.dynamo, keysOf(source.tenant, source.entity), { by, within, ...range });
  const [ordinals, { total }, { complete }] = await Promise.all([ordered, within, picked]);
  return { ordinals, total, dense: false, complete };
}

/** A page of all records in an order: a row of counts has the total, so that no rows of values are read for it. */
async function findOrdered<T extends Stored, D extends keyof T>(
  source: Source<T, D>,
  { sort, paginateFrom, paginateSize }: ListQuery & { sort: string },
): Promise<Positions> {
  const keys = keysOf(source.tenant, source.entity);
  const [ordinals, [total = 0]] = await Promise.all([
    orderedPositions(source.dynamo, keys, { by: sort, paginateFrom, paginateSize }),
    countMatching(source, { filters: [{}] }),
  ]);
  return { ordinals, total, dense: false };
}

function listOf<T extends Stored, D extends keyof T>(entity: Entity<T, D>, { parent = {} }: Pick<ListQuery, 'parent'>) {
  const [named, ...others] = given(parent);
  if (!named) return { name: '', shape: entity.main };
  // a parameter that names a parent is the list's name and `Id`
  if (others.length > 0) throw notCombined(others.map(([list]) => `${list}Id`));
  const [list, id] = named;
  const declared = entity.parents[list];
  if (!declared) throw new Error(`${entity.name} has no list ${list}`);
  return { name: listName(list, id), shape: declared.shape };
}

function checkedFilter(shape: Shape, filter: ListQuery['filter'] = {}): Record<string, string> {
  const wanted = given(filter);
  const undeclared = wanted.filter(([name]) => !shape.dimensions.some((dimension) => dimension.name === name));
  if (undeclared.length > 0) throw notCombined(undeclared.map(([name]) => name));
  return Object.fromEntries(wanted);
}

const notCombined = (paths: readonly string[]): ApiError =>
  new ApiError('unsupported_filter', 'This combination of filters is not available; omit some of the filters.', {
    details: paths.map((path) => ({ path, message: 'cannot be combined with the other filters' })),
  });

/** The rows at these ordinals, in their order. */
async function fetchOrdinals(dynamo: Dynamo, keys: Keys, { ordinals, dense }: Positions): Promise<Row[]> {
  const rows = await rowsOfOrdinals(dynamo, keys.record, { ordinals, dense });
  const byKey = new Map(rows.map((row) => [row.sk, row]));
  return ordinals.flatMap((ordinal) => byKey.get(ordinalText(ordinal)) ?? []);
}

export const rowsAt = (dynamo: Dynamo, keys: Keys, ordinals: number[]): Promise<Row[]> =>
  fetchOrdinals(dynamo, keys, { ordinals, total: ordinals.length, dense: false });
