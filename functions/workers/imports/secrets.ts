import { type AssetIdentity, assetKey } from '#shared/assets/asset/asset.ts';
import type { KeyedFinding } from '#shared/findings/finding/reported.ts';
import { quotesSecret } from '#shared/reports/readers/quoted-secret.ts';
import type { ReportFinding } from '#shared/reports/report/report.ts';
import { foundSecret, keyedIdentity } from '#shared/vulnerabilities/exposed-credentials/digest.ts';
import type { Accepted } from './phases.ts';

/** Takes the text of its secret out of a finding, and out of what its fingerprint is made of, before anything of it is written. */
export async function keyedFinding(
  { connections, table, at }: Accepted,
  asset: AssetIdentity,
  { secret, ...reported }: ReportFinding,
): Promise<KeyedFinding> {
  if (!secret && !quotesSecret(reported)) return reported;
  const identity = await keyedIdentity({ connections, table }, reported.identity);
  const place = [assetKey(asset), ...reported.identity];
  const found = secret && (await foundSecret({ connections, table }, secret, { place, at }));
  return { ...reported, identity, isKeyed: true, ...(found && { secret: found }) };
}
