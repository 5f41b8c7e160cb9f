import type { AssetIdentity } from '#shared/assets/asset/asset.ts';
import type { StoredSubmission } from '#shared/ingest/submission.ts';
import { unzipped, zipped } from '#shared/platform/runtime/gzip.ts';
import { readLines } from '#shared/platform/runtime/stored-json.ts';
import type { Inventories } from '#shared/reports/readers/inventories.ts';
import { ReportAsset, type ReportInventory } from '#shared/reports/report/report.ts';
import { assetFor } from '../asset-for.ts';
import { withZones } from '../placing.ts';
import type { Session } from '../session.ts';

/** Keeps the inventories of a report that was read to its end, beside its chunks of findings if it has several. */
export async function storeInventories(session: Session, inventories: Inventories, isLarge: boolean): Promise<void> {
  session.inventories = [...inventories.all()];
  if (!isLarge || session.inventories.length === 0) return;
  const lines = session.inventories.map((one) => JSON.stringify(one)).join('\n');
  await session.connections.bucket.put(session.files.inventory, await zipped(lines, 1));
}

/** The inventories of the report's assets within the target of the scan. One without a target is of nothing. */
export async function loadInventories(
  session: Session,
): Promise<{ asset: AssetIdentity; inventory: ReportInventory }[]> {
  const { submission } = session;
  const reported = session.inventories ?? (await read(session));
  const told = reported.flatMap((inventory) => {
    const asset = placeOf(submission, inventory);
    return asset ? [{ asset: { ...asset, zone: submission.zone ?? null }, inventory }] : [];
  });
  const places = await withZones(
    session,
    told.map(({ asset }) => asset),
  );
  return told.map(({ asset, inventory }, n) => ({ asset: places[n] ?? asset, inventory }));
}

/** Whether it makes an asset known that nobody named before: names alone do not. */
export const tellsSomething = ({ services, software, os, facts }: ReportInventory): boolean =>
  os !== undefined || facts !== undefined || (services?.length ?? 0) > 0 || (software?.length ?? 0) > 0;

/** The asset within the target of the scan; undefined for one outside of it. */
export function placeOf(
  submission: StoredSubmission,
  { asset }: ReportInventory,
): Omit<AssetIdentity, 'zone'> | undefined {
  const { data: scanned = null } = ReportAsset.nullable().safeParse(asset);
  if (asset && !scanned) return submission.source === 'import' ? asset : undefined;
  return scanned || submission.target ? assetFor(submission, { asset: scanned }) : undefined;
}

async function read({ connections, files }: Session): Promise<ReportInventory[]> {
  const bytes = await connections.bucket.get(files.inventory);
  return bytes ? readLines<ReportInventory>(await unzipped(bytes)) : [];
}
