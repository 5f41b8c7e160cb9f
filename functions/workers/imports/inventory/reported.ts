import type { AssetIdentity } from '#shared/assets/asset/asset.ts';
import type { StoredSubmission } from '#shared/ingest/submission.ts';
import { unzipped, zipped } from '#shared/platform/runtime/gzip.ts';
import { readLines } from '#shared/platform/runtime/stored-json.ts';
import { ReportAsset, type ReportInventory } from '#shared/reports/report/report.ts';
import { assetFor } from '../asset-for.ts';
import type { Accepted, Read } from '../phases.ts';
import { withZones } from '../placing.ts';

/** Keeps the inventories of a report that was read to its end, beside its chunks of findings if it has several. */
export async function storeInventories(
  { connections, files }: Accepted,
  all: readonly ReportInventory[],
  isLarge: boolean,
): Promise<void> {
  const lines = all.map((one) => JSON.stringify(one)).join('\n');
  if (isLarge && all.length > 0) await connections.bucket.put(files.inventory, await zipped(lines, 1));
}

/** The inventories of the report's assets within the target of the scan. One without a target is of nothing. */
export async function loadInventories(report: Read): Promise<{ asset: AssetIdentity; inventory: ReportInventory }[]> {
  const { submission, manifest } = report;
  const reported = report.inventories ?? (await read(report));
  const told = reported.flatMap((inventory) => {
    const asset = placeOf({ ...submission, alias: manifest.alias }, inventory);
    return asset ? [{ asset: { ...asset, zone: submission.zone ?? null }, inventory }] : [];
  });
  const places = await withZones(
    report,
    told.map(({ asset }) => asset),
  );
  return told.map(({ asset, inventory }, n) => ({ asset: places[n] ?? asset, inventory }));
}

/** Whether an inventory creates an asset that is unknown: names alone do not. */
export const tellsSomething = ({ services, software, os, facts }: ReportInventory): boolean =>
  os !== undefined || facts !== undefined || (services?.length ?? 0) > 0 || (software?.length ?? 0) > 0;

/** The asset within the target of the scan; undefined for one outside of it. */
export function placeOf(
  submission: StoredSubmission & { alias?: string | undefined },
  { asset }: ReportInventory,
): Omit<AssetIdentity, 'zone'> | undefined {
  const { data: scanned = null } = ReportAsset.nullable().safeParse(asset);
  if (asset && !scanned) return submission.source === 'import' && !submission.targetOnly ? asset : undefined;
  return scanned || submission.target ? assetFor(submission, { asset: scanned }) : undefined;
}

async function read({ connections, files }: Read): Promise<ReportInventory[]> {
  const bytes = await connections.bucket.get(files.inventory);
  return bytes ? readLines<ReportInventory>(await unzipped(bytes)) : [];
}
