import { makeId, ordinalOf, shortId } from '#shared/platform/runtime/ids.ts';
import { type RowKind, rowKey } from '#shared/platform/table/io/row.ts';
import { type Key, type Keys, keysOf, MARK_LAYOUT, ordinalText } from '#shared/platform/table/layout/keys.ts';
import { blockOf, layoutOf, pageOf } from '#shared/platform/table/layout/positions.ts';
import { inverted, MAX_RANK, rankTexts } from '#shared/platform/table/layout/ranks.ts';

/**
 * The keys of docs/table.md come from the functions that the store calls: these get recognizable values, which this
 * module finds in the key and replaces by names.
 */
type Names = readonly (readonly [text: string, name: string])[];

const named = (key: Key, names: Names): Key => ({ pk: nameIn(key.pk, names), sk: nameIn(key.sk, names) });
const nameIn = (text: string, names: Names): string =>
  names.reduce((named, [value, name]) => named.replaceAll(value, name), text);

const ORDINAL = 987_654_321;
const SHARDS = 4;
const LAYOUT = layoutOf(3);
const LIST = '<list>=<parent>';
const WORD = 'kestrel';
const RANK = 7;

/** Each row of a collection with the call that makes its key. */
const entityRows: Record<string, (keys: Keys, together: Keys) => Key> = {
  'record, as lists show it': (keys) => keys.record(ORDINAL),
  'its long fields': (keys) => keys.detail(ORDINAL),
  'next free ordinal': (keys) => keys.ordinals(),
  'facets: counters with few names': (keys) => keys.facets(ORDINAL),
  'facets that lie together': (_keys, together) => together.facets(ORDINAL),
  'tally: counters of one value': (keys) => keys.tally('<facet>', '<value>', ORDINAL),
  'tally of no value': (keys) => keys.tally('<facet>', null, ORDINAL),
  'page: counts per block, of all records': (keys) => keys.page('', LAYOUT, ORDINAL),
  'page: counts per block, of one parent': (keys) => keys.page(LIST, LAYOUT, ORDINAL),
  'mask: bits of a block, of all records': (keys) => keys.mask('', LAYOUT, ORDINAL),
  'mask: bits of a block, of one parent': (keys) => keys.mask(LIST, LAYOUT, ORDINAL),
  'mark: bits of a word': (keys) => keys.mark(WORD, ORDINAL),
  'mark: bits of a value': (keys) => keys.mark('<name>=<value>', ORDINAL),
  'mark: bits of a place in an order': (keys) => keys.mark('order>place', ORDINAL),
  'journal: changes of a bulk batch': (keys) => keys.journal('n<entry>'),
  rank: (keys) => keys.rank(rankTexts({ '<rank>': RANK })[0] ?? '', ORDINAL),
  'unique value': (keys) => keys.unique('<field>', '<value>'),
};

export function entityPatterns(): { row: string; key: Key }[] {
  const keys = keysOf('<org>', { name: '<entity>', shards: SHARDS });
  const together = keysOf('<org>', { name: '<entity>', shards: 1, together: true });
  const block = blockOf(LAYOUT, ORDINAL);
  const blockText = (number: number): string => keys.masks('', number, number).from;
  const names: Names = [
    [ordinalText(ORDINAL), '<ordinal>'],
    [ordinalText(MAX_RANK - ORDINAL), '<inverted ordinal>'],
    [inverted(RANK), '<inverted number>'],
    [blockText(block), '<block>'],
    [blockText(pageOf(LAYOUT, block)), '<page>'],
    [`#w#${WORD.slice(0, 2)}`, '#w#<first two characters>'],
    [WORD, '<word>'],
    [blockText(blockOf(MARK_LAYOUT, ORDINAL)), '<block>'],
    [partitionIn(keys), '<partition>'],
  ];
  const sharded = (key: Key): Key => ({ pk: key.pk, sk: key.sk.replace(`#${ORDINAL % SHARDS}`, '[#<shard>]') });
  return Object.entries(entityRows).map(([row, keyOf]) => ({ row, key: sharded(named(keyOf(keys, together), names)) }));
}

const partitionIn = (keys: Keys): string => keys.recordPartition(ORDINAL).replace('<org>#<entity>#', '');

export type AnyRow = RowKind<object, object>;

/** The key of a kind of row, made from placeholders. */
export function rowPattern(kind: AnyRow): Key {
  const asked: string[] = [];
  const parts = askedFor((name) => placeholder(numberOf(asked, name)));
  const { pk, sk } = rowKey('<scope>', kind, parts);
  return { pk: nameValues(pk, asked), sk: nameValues(String(sk), asked) };
}

const askedFor = (value: (name: string) => unknown): object =>
  new Proxy({}, { get: (_, name) => value(String(name)), has: () => false });

function numberOf(asked: string[], name: string): number {
  if (!asked.includes(name)) asked.push(name);
  return asked.indexOf(name);
}

const FIRST = 98_765_432_100;
const idAt = (n: number): string => makeId(FIRST + n, 0, new Uint8Array(5).fill(n));

/** A value that serves as text, as an id and as a number; each of these is recognizable in the key. */
const placeholder = (n: number) =>
  Object.assign(new String(idAt(n)), {
    [Symbol.toPrimitive]: (hint: string) => (hint === 'string' ? idAt(n) : FIRST + n),
  });

/** Names ids and their ordinals, then numbers with leading zeros; the remaining digits are a partition. */
function nameValues(text: string, asked: readonly string[]): string {
  const ids = asked.flatMap((name, n): Names => {
    const id = idAt(n);
    return [id, shortId(id), ordinalText(ordinalOf(id))].map((value, part) => [
      value,
      part < 2 ? `<${name}>` : `<ordinal of ${name}>`,
    ]);
  });
  return asked
    .reduce((named, name, n) => named.replace(new RegExp(`0*${FIRST + n}`), `<${name}>`), nameIn(text, ids))
    .replace(/\d{6,}$/, `<partition of ${asked[0]}>`);
}

const DAY_MS = 86_400_000;
const BASE = '2026-01-15T08:00:00.000Z';

/** The expiry of a kind of rows, named by the field that it comes from. */
export function expiryOf({ expiresAt }: AnyRow): string {
  if (!expiresAt) return 'never';
  const asked: string[] = [];
  const row = askedFor((name) => {
    numberOf(asked, name);
    const primitive = (hint: string) => (hint === 'string' ? BASE : Date.parse(BASE) / 1000);
    return Object.assign(new String(BASE), { [Symbol.toPrimitive]: primitive });
  });
  const days = Math.round((Date.parse(String(expiresAt(row))) - Date.parse(BASE)) / DAY_MS);
  const field = `\`${asked.join('`, `')}\``;
  if (days === 0) return `at ${field}`;
  return days > 0 && days < 1000 ? `${days} days after ${field}` : `by ${field}`;
}
