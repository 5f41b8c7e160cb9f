import { type Asset, assets, tagsOf } from '#shared/assets/asset/asset.ts';
import { applicationsOf } from '#shared/assets/asset/asset-link.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { accountNames } from '#shared/people/names.ts';
import type { ExportFormat } from '#shared/platform/exports/export.ts';
import type { Table } from '#shared/platform/table/table.ts';

type OfAsset = {
  owner: { id: string; name: string | null } | null;
  applicationIds: string[];
  applications: string[];
};

/** The columns that rules about assets fill. */
const RULED: readonly string[] = ['applications', 'applicationIds', 'asset.tags'];
/** The same of an export of assets. */
export const RULED_OF_ASSETS: readonly string[] = ['applications', 'applicationIds', 'tags'];

/** SARIF and VEX have no place for the owner, the applications and the tags of an asset. */
export const hasAssets = (format: ExportFormat): boolean => format === 'csv' || format === 'jsonl';

type Columns = { format: ExportFormat; columns?: readonly string[] | undefined };

/** Whether a file has a column that rules about assets fill, which is so if it has the usual columns. */
export const showsRules = ({ format, columns }: Columns, ruled = RULED): boolean =>
  hasAssets(format) && (columns?.some((column) => ruled.includes(column)) ?? true);

/** The owner and the applications of assets with their names, by the id of the asset. */
export async function ofAssets(table: Table, some: readonly Asset[]): Promise<(asset: Asset) => OfAsset> {
  const [owners, known] = await Promise.all([
    accountNames(
      table,
      some.flatMap(({ ownerId }) => ownerId ?? []),
    ),
    table.findMany(applications, some.flatMap(applicationsOf)),
  ]);
  const named = new Map(known.map(({ id, name }) => [id, name]));
  return ({ ownerId, ...asset }) => {
    const applicationIds = applicationsOf(asset);
    return {
      owner: ownerId ? { id: ownerId, name: owners.get(ownerId) ?? null } : null,
      applicationIds,
      applications: applicationIds.flatMap((id) => named.get(id) ?? []),
    };
  };
}

/** Records with the tags, the owner and the applications of their assets. */
export async function withAssets<R extends { asset: { id: string } }>(table: Table, records: readonly R[]) {
  const found = await table.findMany(
    assets,
    records.map(({ asset }) => asset.id),
  );
  const facts = await ofAssets(table, found);
  const byId = new Map(found.map((asset) => [asset.id, { tags: tagsOf(asset), ...facts(asset) }]));
  return records.map((record) => {
    const { tags, ...of } = byId.get(record.asset.id) ?? NO_ASSET;
    return { ...record, asset: { ...record.asset, tags }, ...of };
  });
}

const NO_ASSET = { tags: [], owner: null, applicationIds: [], applications: [] };
