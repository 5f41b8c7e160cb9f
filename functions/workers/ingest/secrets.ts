import { type AssetIdentity, assetKey } from '#shared/entities/asset.ts';
import { foundSecret } from '#shared/exposed-credentials/digest.ts';
import type { KeyedFinding } from '#shared/findings/reported.ts';
import type { ReportFinding } from '#shared/reports/report.ts';
import type { Session } from './session.ts';

/** Takes the text of its secret out of a finding, before anything of it is written. */
export async function keyedFinding(
  { connections, table, at }: Session,
  asset: AssetIdentity,
  { secret, ...finding }: ReportFinding,
): Promise<KeyedFinding> {
  if (!secret) return finding;
  const place = [assetKey(asset), ...finding.identity];
  return { ...finding, secret: await foundSecret({ connections, table }, secret, { place, at }) };
}
