import { now } from '#shared/platform/runtime/clock.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { type Table, withoutPart } from '#shared/platform/table/table.ts';
import type { Asset } from '../asset/asset.ts';
import { placeOf } from '../asset/asset-places.ts';
import type { TraitKind } from '../asset/asset-traits.ts';
import { readZones } from '../targets/read-zones.ts';
import { type Compared, compare } from './compare.ts';
import { mergeSuggestions, pairOf, type StoredSuggestion } from './merge-suggestion.ts';
import { survivorFirst } from './survivor.ts';

type Evidence = StoredSuggestion['evidence'];

/** Texts that are long enough for a reader to know the identifier. */
const MAX_SHOWN = 5;

/** The fields of a suggestion that follow from the two assets. */
export function suggested(one: Asset, other: Asset, { verdict, by, agree, differ }: Compared) {
  const [into, asset] = survivorFirst(one, other);
  const evidence = agree.map(({ kind, values }) => ({ kind, values: values.slice(0, MAX_SHOWN) }));
  return {
    assetId: asset.id,
    intoId: into.id,
    certain: verdict === 'same',
    by: by ?? null,
    evidence,
    differing: differ,
    assetPlace: placeOf(asset),
    intoPlace: placeOf(into),
  };
}

export const seenIn = (evidence: Evidence): string[] =>
  evidence.flatMap(({ kind, values }) => values.map((value) => `${kind}=${value}`));

const NAMES: Record<TraitKind, string> = {
  cloudResourceId: 'the cloud resource id',
  agentId: 'the EDR agent',
  serialNumber: 'the serial number',
  machineId: 'the machine id',
  mac: 'the MAC address',
  fqdn: 'the full name',
  hostname: 'the host name',
  ip: 'the address',
  codeHost: 'the code host',
  repository: 'the repository name',
};

/** The identifiers that two assets share, as a sentence. */
export function reasonOf(evidence: Evidence): string {
  const parts = evidence.map(({ kind, values }) => `${NAMES[kind]} ${values.join(', ')}`);
  return parts.length === 0 ? 'They share no identifier.' : `Both have ${parts.join(' and ')}.`;
}

export const findSuggestion = (table: Table, ids: readonly [string, string]) =>
  table.findUnique(mergeSuggestions, { field: 'pair', value: pairOf(ids) }, true);

/**
 * The place of the answer that two assets stay apart: a stored suggestion or the id of a new one; and the current
 * zones.
 */
export async function readAnswer(table: Table, ids: readonly [string, string]) {
  // a suggestion that was accepted has the place in which the merged asset was
  const whole = withoutPart(table);
  const [current, placing] = await Promise.all([findSuggestion(whole, ids), readZones(whole)]);
  return { current, id: current?.id ?? (await table.reserve(mergeSuggestions, 1))[0] ?? '', placing };
}

type Answer = Awaited<ReturnType<typeof readAnswer>>;

/** Keeps two assets apart that a person parted, until they share more than they do now. */
export function keepApart(
  { table, batch }: { table: Table; batch: Batch },
  { current, id, placing }: Answer,
  [one, other]: readonly [Asset, Asset],
): void {
  const fields = suggested(one, other, compare(one, other, placing));
  const seen = [...new Set([...(current?.seen ?? []), ...seenIn(fields.evidence)])];
  const decided = { status: 'dismissed' as const, decidedBy: table.actor, decidedAt: now(), taskId: null, seen };
  if (current)
    batch.update(mergeSuggestions, current, table.changed<StoredSuggestion, never>(current, { ...fields, ...decided }));
  else batch.create(mergeSuggestions, table.stamp<StoredSuggestion>({ ...fields, ...decided, id }));
}
