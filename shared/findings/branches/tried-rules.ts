import { assets } from '#shared/assets/asset/asset.ts';
import type { AssetFacts } from '#shared/assets/asset/asset-filter-fields.ts';
import { asksAsset } from '#shared/assets/asset/on-asset.ts';
import type { Compiled } from '#shared/platform/filter/compile.ts';
import type { Filtered } from '#shared/platform/filter/fields.ts';
import type { Seen } from '#shared/platform/filter/on-record.ts';
import { type RuleFilter, ruleCompiler } from '#shared/platform/filter/rule.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { branchesOf } from './branch-names.ts';

/** A rule about records on assets that is ready to be tried. */
export type Ready = { compiled: Compiled; asksAsset: boolean };

/** Makes rules of filters, which all hold. */
export async function readyCompiler(fields: Filtered['fields']): Promise<(given: readonly RuleFilter[]) => Ready> {
  const known = await fields();
  const compile = await ruleCompiler(() => known);
  return (given) => {
    const compiled = compile(...given);
    return { compiled, asksAsset: asksAsset(known, compiled.asks) };
  };
}

export type Behind = ReadonlyMap<string, AssetFacts>;

/** The assets of some records by their ids; read only if a rule uses them. */
export async function assetsBehind(
  table: Table,
  rules: readonly Ready[],
  found: readonly { asset: { id: string } }[],
): Promise<Behind> {
  const asking = rules.filter((rule) => rule.asksAsset);
  if (asking.length === 0) return new Map();
  const read = await table.findMany(assets, [...new Set(found.map(({ asset }) => asset.id))], true);
  const asksBranches = asking.some(({ compiled }) => compiled.asks.includes('asset.branch'));
  const branches = await branchesOf(table, read, { asksBranches });
  return new Map(read.map((asset) => [asset.id, { ...asset, branches: branches.get(asset.id) ?? [] }]));
}

/** Whether a record meets a rule. A record of a deleted asset meets no rule that asks for the asset. */
export const meets = ({ compiled, asksAsset: asks }: Ready, seen: Seen): boolean =>
  (!asks || Reflect.get(seen.facts, 'behind') !== undefined) && compiled.test(seen);
