import { assets, CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { cloudTagKey } from '#shared/assets/asset/asset-scopes.ts';
import { SCOPE_KINDS, SCOPES } from '#shared/exposure/applications/scopes.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** The keys of cloud tags with their assets, in the order of the keys. */
export async function cloudTags(table: Table): Promise<{ key: string; assets: number }[]> {
  const rows = await table.tallies(assets, 'cloudTag');
  const all = rows.flatMap(({ counts }) =>
    Object.entries(counts).map(([name, n]) => ({ key: cloudTagKey(name), assets: n })),
  );
  return all.filter((one) => one.assets > 0).sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The kinds of asset groups that an application's links name, with how many assets each can take. */
export async function scopeKinds(table: Table) {
  const facets = await table.facets(assets);
  const total = CRITICALITIES.reduce((sum, one) => sum + (facets[`criticality:${one}`] ?? 0), 0);
  return SCOPE_KINDS.map((kind) => {
    const { label, valueFormat, facet } = SCOPES[kind];
    return { kind, label, valueFormat, count: facet === undefined ? total : (facets[facet] ?? 0) };
  });
}
