import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { traitKeys, unplaced } from '#shared/assets/asset/asset-traits.ts';
import { mergeSuggestions, pairOf, type StoredSuggestion } from '#shared/assets/identity/merge-suggestion.ts';
import { readZones } from '#shared/assets/targets/read-zones.ts';
import type { Placing } from '#shared/assets/targets/zones.ts';
import { readSettings } from '#shared/credentials/organization-settings.ts';
import { chunksOf, eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { ordinalsOf, recordsAt, recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Crowds, settlePair } from './settle-pair.ts';

/** Assets that one step reads, and simultaneous reads of the index. */
const PART = 50;
const READS = 20;

/** A name or address that more assets have identifies none of them. */
const MAX_HOLDERS = 3;
/** An identifier of any kind that more assets have does not count as an identifier. */
const MAX_OF_ONE = 50;

/**
 * Merges assets that are the same machine, and suggests merges of assets that may be. Decides each pair from the two
 * current assets: a worker that repeats the work of a killed one finds the pairs settled.
 */
export async function recognise(context: Context, ids: readonly string[]): Promise<void> {
  const [{ mergeSameAssets }, placing] = await Promise.all([readSettings(context.table), readZones(context.table)]);
  for (const part of chunksOf([...new Set(ids)], PART)) {
    const { pairs, crowds } = await pairsOf(context.table, part, placing);
    for (const pair of pairs)
      await retry(() => settlePair(context, pair, { crowds, placing, isAutomatic: mergeSameAssets }), isConflict);
  }
}

type Pair = [string, string];

/**
 * The pairs that the changes of some assets may affect: assets that share an identifier, or whose merge was suggested.
 */
async function pairsOf(table: Table, ids: readonly string[], placing: Placing | undefined) {
  const current = await table.findMany(assets, ids, true);
  const holders = await holdersOf(table, current, placing);
  const crowds: Crowds = (key) => (holders.get(key)?.length ?? 0) > MAX_HOLDERS;
  const idsOf = await readIds(table, [...holders.values()].filter(({ length }) => length <= MAX_OF_ONE).flat());
  const ofChanged = current.flatMap((asset) =>
    traitKeys(asset, { placing }).flatMap((key) => idsOf(holders.get(key)).map((other): Pair => [asset.id, other])),
  );
  // assets that share a rare identifier are suggestions to each other; assets that share a frequent one are not
  const ofFew = [...holders].flatMap(([key, ordinals]) => (crowds(key) ? [] : amongEachOther(idsOf(ordinals))));
  const suggested = await suggestedPairs(table, ids, [...holders.keys()].filter(crowds));
  return { pairs: onceEach([...ofChanged, ...ofFew, ...suggested]), crowds };
}

/** For each identifier of these assets, the ordinals of all assets that have it. */
async function holdersOf(table: Table, some: readonly Asset[], placing: Placing | undefined) {
  const keys = [...new Set(some.flatMap((asset) => traitKeys(asset, { placing })))];
  const found = await eachAtOnce(keys, READS, async (key) => {
    const ordinals = await ordinalsOf(table, assets, { where: { identifier: spellings(key, placing) } });
    return [key, ordinals] as const;
  });
  return new Map(found);
}

const amongEachOther = (ids: readonly string[]): Pair[] => ids.flatMap((one) => ids.map((other): Pair => [one, other]));

/** The open suggestions about these assets, and those that were made before an identifier was one of a crowd. */
async function suggestedPairs(table: Table, ids: readonly string[], crowded: readonly string[]): Promise<Pair[]> {
  const asked = [...ids.map((id) => ({ asset: id })), ...crowded.map((key) => ({ identifier: key }))];
  const open = await eachAtOnce(asked, READS, (where) => openOnes(table, where));
  return open.flat().map(({ assetId, intoId }) => [assetId, intoId]);
}

/** Each pair once, always in the same order: repeated work after a crash meets the pairs in the same order. */
const onceEach = (pairs: readonly Pair[]): Pair[] =>
  [...new Map(pairs.filter(([one, other]) => one !== other).map((pair) => [pairOf(pair), pair] as const))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, pair]) => pair);

/**
 * The forms in which the index may have a key: an asset without a zone has the key without zone, although its addresses
 * place it.
 */
const spellings = (key: string, placing: Placing | undefined): string[] =>
  placing ? [...new Set([key, unplaced(key)])] : [key];

async function readIds(table: Table, ordinals: readonly number[]) {
  const records = await recordsAt(table, assets, [...new Set(ordinals)]);
  const byOrdinal = new Map(records.map(({ id }) => [ordinalOf(id), id]));
  return (some: readonly number[] = []): string[] => some.flatMap((ordinal) => byOrdinal.get(ordinal) ?? []);
}

async function openOnes(table: Table, where: Record<string, string>): Promise<StoredSuggestion[]> {
  return recordsOf(table, mergeSuggestions, { where: { ...where, status: 'open' } });
}
