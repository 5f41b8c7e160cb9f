import { isDeepStrictEqual } from 'node:util';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { type Compared, compare } from '#shared/assets/identity/compare.ts';
import { mergeSuggestions, type StoredSuggestion } from '#shared/assets/identity/merge-suggestion.ts';
import { findSuggestion, reasonOf, seenIn, suggested } from '#shared/assets/identity/suggestion.ts';
import type { Placing } from '#shared/assets/targets/zones.ts';
import { obstacleTo, queueMerge } from '#shared/exposure/asset-actions/merge.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Whether so many assets have an identifier that it identifies none of them. */
export type Crowds = (key: string) => boolean;

type Ground = { crowds: Crowds; isAutomatic: boolean; placing: Placing | undefined };

/** Merges two assets, suggests their merge, or withdraws a suggestion, by their current fields. */
export async function settlePair(context: Context, ids: [string, string], ground: Ground): Promise<void> {
  const { table } = context;
  const both = await Promise.all([table.find(assets, ids[0], true), table.find(assets, ids[1], true)]);
  const current = await findSuggestion(table, ids);
  const [one, other] = both;
  const compared = one && other && !one.retiredAt && !other.retiredAt ? compare(one, other, ground.placing) : undefined;
  if (!compared || !one || !other || tellsNothing(compared, ground.crowds)) return withdraw(table, current);
  const fields = suggested(one, other, compared);
  const inOrder: [Asset, Asset] = fields.intoId === other.id ? [one, other] : [other, one];
  if (compared.verdict === 'same' && ground.isAutomatic && (await mayMerge(table, current, inOrder)))
    return merge(context, fields, current);
  await suggest(table, fields, current);
}

/** A suggestion needs an identifier that few assets have. A certain match needs none. */
const tellsNothing = ({ verdict, agree }: Compared, crowds: Crowds): boolean =>
  verdict === 'different' ||
  (verdict === 'maybe' &&
    agree.every(({ kind, values }) => kind === 'hostname' || values.every((value) => crowds(`${kind}=${value}`))));

type Suggested = ReturnType<typeof suggested>;

/**
 * Whether two assets may merge without a person's decision. A person who separated an asset from another that matched
 * by the rules must confirm every later merge of this asset.
 */
async function mayMerge(table: Table, current: StoredSuggestion | undefined, [asset, into]: [Asset, Asset]) {
  const isAnswered = current && (current.status !== 'open' || current.seen.length > 0);
  if (isAnswered || obstacleTo(asset, into)) return false;
  return !(await wasParted(table, asset)) && !(await wasParted(table, into));
}

async function wasParted(table: Table, { id }: Asset): Promise<boolean> {
  const dismissed = await recordsOf(table, mergeSuggestions, { where: { asset: id, status: 'dismissed' } });
  return dismissed.some(({ certain }) => certain);
}

async function merge(
  { connections, table }: Context,
  { assetId, intoId, evidence }: Suggested,
  current: StoredSuggestion | undefined,
): Promise<void> {
  const because = reasonOf(evidence);
  await queueMerge(
    { connections, table },
    { assetId, intoId },
    {
      because,
      also: (batch) => current && batch.delete(mergeSuggestions, current),
    },
  );
}

/** A decision of people stays, so that they are not asked the same again. */
async function withdraw(table: Table, current: StoredSuggestion | undefined): Promise<void> {
  if (current?.status !== 'open') return;
  if (current.seen.length === 0) await table.delete(mergeSuggestions, current);
  else await table.update(mergeSuggestions, current, { status: 'dismissed' });
}

async function suggest(table: Table, fields: Suggested, current: StoredSuggestion | undefined): Promise<void> {
  const opened = { ...fields, status: 'open' as const, decidedBy: null, decidedAt: null, taskId: null };
  if (!current) return void (await table.create(mergeSuggestions, { ...opened, seen: [] }));
  const isNews = seenIn(fields.evidence).some((text) => !current.seen.includes(text));
  if (current.status !== 'open' && !isNews) return;
  const isSame = Object.entries(opened).every(([name, value]) => isDeepStrictEqual(Reflect.get(current, name), value));
  if (!isSame) await table.update<StoredSuggestion, never>(mergeSuggestions, current, opened);
}
