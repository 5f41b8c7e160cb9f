import type { Asset } from '#shared/assets/asset/asset.ts';
import type { Scope } from '#shared/assets/targets/covers.ts';
import { type ScopeCheck, scopeCheck } from '#shared/assets/targets/scope-check.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assetsInScope, type Found } from './assets.ts';

const MAX_OF_ASSET = 100;
const MAX_FINDINGS = 1000;
/** Assets whose findings one step reads. */
const AT_ONCE = 20;

type InScope = Found<FindingRow> & { assets: Map<string, Asset> };

/**
 * Findings of any scan on the assets in an engagement scope, newest first, without findings on excluded pages of these
 * assets.
 */
export async function findingsInScope(table: Table, scope: Scope): Promise<InScope> {
  const covered = await assetsInScope(table, scope);
  const check = scopeCheck(scope);
  const pages = await eachAtOnce(covered.items, AT_ONCE, ({ id }) => findingsOf(table, id));
  const isTruncated = covered.isTruncated || pages.some(({ totalCount }) => totalCount > MAX_OF_ASSET);
  const items = pages.flatMap(({ data }) => data).filter((finding) => !isOnExcludedPage(check, finding));
  items.sort((a, b) => (a.id < b.id ? 1 : -1));
  const assets = new Map(covered.items.map((asset) => [asset.id, asset]));
  return { items: items.slice(0, MAX_FINDINGS), isTruncated: isTruncated || items.length > MAX_FINDINGS, assets };
}

const findingsOf = (table: Table, id: string) =>
  table.list(findings, { where: { asset: id }, paginateFrom: 0, paginateSize: MAX_OF_ASSET });

const isOnExcludedPage = (check: ScopeCheck, { location, asset }: FindingRow): boolean =>
  /^https?:/i.test(location) && check.isExcluded({ type: 'url', value: location, zone: asset.zone });
