import type * as z from 'zod';
import { assets } from '#shared/assets/asset/asset.ts';
import { type AssetLink, MAX_LINKS } from '#shared/assets/asset/asset-link.ts';
import { SCOPE_KINDS, type ScopeKind, scopeCondition } from '#shared/exposure/applications/scopes.ts';
import { isExcluded, isLinked, linkEdit } from '#shared/exposure/asset-links/links.ts';
import { isCondition } from '#shared/exposure/asset-rules/condition.ts';
import { metBy } from '#shared/exposure/asset-rules/preview.ts';
import { settleAssets } from '#shared/exposure/asset-rules/settle-assets.ts';
import { Id } from '#shared/platform/http/records.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { newestOf } from '#shared/platform/table/layout/bits.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type applicationAssetRoutes, MAX_AT_ONCE } from './routes.ts';

type Item = z.output<typeof applicationAssetRoutes.bulkLinkAssets.body>['items'][number];
type Rejected = { index: number; code: string; message: string };

/** Links the assets that the items name, each once. The answer names each item that cannot be linked; other items are not affected. */
export async function linkInBulk(
  context: Context,
  link: Pick<AssetLink, 'applicationId' | 'environmentId'>,
  items: readonly Item[],
) {
  const { wanted, rejected } = await assetsOf(context.table, items);
  const at = now();
  const counts = { linked: 0, alreadyLinked: 0, excluded: 0 };
  const outcomes = new Map<string, keyof typeof counts>();
  await settleAssets(context, [...wanted.keys()], (asset) => {
    if (isExcluded(asset, link.applicationId)) outcomes.set(asset.id, 'excluded');
    else if (isLinked(asset, link.applicationId)) {
      // linked by this request before a conflict with another writer
      if (outcomes.get(asset.id) !== 'linked') outcomes.set(asset.id, 'alreadyLinked');
    } else if ((asset.links ?? []).length >= MAX_LINKS) {
      outcomes.delete(asset.id);
      rejected.push(tooMany(wanted.get(ordinalOf(asset.id)) ?? 0, asset.id));
    } else {
      outcomes.set(asset.id, 'linked');
      return linkEdit(context.table, asset, { ...link, origin: 'bulk', at });
    }
    return undefined;
  });
  for (const outcome of outcomes.values()) counts[outcome] += 1;
  return { ...counts, rejected: rejected.sort((a, b) => a.index - b.index) };
}

const tooMany = (index: number, id: string): Rejected => ({
  index,
  code: 'limit_exceeded',
  message: `The asset ${id} belongs to ${MAX_LINKS} applications, which is the limit.`,
});

/** The ordinals of the wanted assets, each with the first item that names it. */
async function assetsOf(table: Table, items: readonly Item[]) {
  const wanted = new Map<number, number>();
  const rejected: Rejected[] = [];
  const known = new Set(
    (
      await table.findMany(
        assets,
        items.flatMap(({ id }) => (isId(id) ? id : [])),
        true,
      )
    ).map(({ id }) => id),
  );
  for (const [index, item] of items.entries()) {
    const found = await ordinalsFor(table, item, known);
    if ('code' in found) rejected.push({ index, ...found });
    else if (new Set([...wanted.keys(), ...found]).size > MAX_AT_ONCE)
      rejected.push({
        index,
        code: 'limit_exceeded',
        message: `covers more than ${MAX_AT_ONCE} assets: create a rule`,
      });
    else for (const ordinal of found) if (!wanted.has(ordinal)) wanted.set(ordinal, index);
  }
  return { wanted, rejected };
}

type Refusal = Omit<Rejected, 'index'>;

const isId = (id: string | undefined): id is string => Id.safeParse(id).success;
const isKind = (kind: string): kind is ScopeKind => SCOPE_KINDS.some((one) => one === kind);

async function ordinalsFor(table: Table, item: Item, known: ReadonlySet<string>): Promise<number[] | Refusal> {
  const { kind, id, value } = item;
  if (!isKind(kind)) return wrong(`kind must be one of ${SCOPE_KINDS.join(', ')}`);
  if (kind === 'asset') {
    if (!isId(id)) return wrong('send the id of the asset in id');
    return known.has(id) ? [ordinalOf(id)] : { code: 'not_found', message: `There is no asset ${id}.` };
  }
  if (!value || id !== undefined) return wrong('send a value, and no id');
  return met(table, kind, value);
}

const wrong = (message: string): Refusal => ({ code: 'validation_failed', message });

async function met(table: Table, kind: Exclude<ScopeKind, 'asset'>, value: string): Promise<number[] | Refusal> {
  const condition = scopeCondition(kind, value);
  if (!condition || !(await isCondition(condition))) return wrong(`${value} is no value of ${kind}`);
  const { bits, isComplete } = await metBy(table, condition, true);
  const found = newestOf(bits);
  if (!isComplete) return { code: 'limit_exceeded', message: 'may cover too many assets: create a rule' };
  return found.length > 0 ? found : { code: 'not_found', message: `No asset has ${value}.` };
}
