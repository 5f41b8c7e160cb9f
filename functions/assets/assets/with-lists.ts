import type { Asset } from '#shared/assets/asset/asset.ts';
import { type AssetView, assetWithMerges } from '#shared/assets/asset/view.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { filtered, withLists } from '#shared/platform/http/figures.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** One asset with the lists of its open counts. */
export async function assetWithLists(table: Table, asset: Asset): Promise<AssetView> {
  const view = await assetWithMerges(table, asset);
  const { openFindings, openVulnerabilities } = view;
  const openIn = (path: string) => (severity: string) =>
    filtered(path)(`asset.id:${asset.id} status:${OPEN_STATUSES.join()} severity:${severity}`);
  const lists = { openFindings: openIn('/api/v1/findings'), openVulnerabilities: openIn('/api/v1/vulnerabilities') };
  return { ...view, ...withLists({ openFindings, openVulnerabilities }, lists) };
}
