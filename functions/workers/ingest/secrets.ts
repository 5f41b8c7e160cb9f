import { type AssetIdentity, assetKey } from '#shared/entities/asset.ts';
import { foundSecret, keyedIdentity } from '#shared/exposed-credentials/digest.ts';
import type { KeyedFinding } from '#shared/findings/reported.ts';
import { quotesSecret } from '#shared/reports/quoted-secret.ts';
import type { ReportFinding } from '#shared/reports/report.ts';
import type { Session } from './session.ts';

/** Takes the text of its secret out of a finding, and out of what its fingerprint is made of, before anything of it is written. */
export async function keyedFinding(
  { connections, table, at }: Session,
  asset: AssetIdentity,
  { secret, ...finding }: ReportFinding,
): Promise<KeyedFinding> {
  const unkeyed = finding.identity;
  if (!secret && !quotesSecret(finding)) return finding;
  const identity = await keyedIdentity({ connections, table }, unkeyed);
  const found =
    secret && (await foundSecret({ connections, table }, secret, { place: [assetKey(asset), ...unkeyed], at }));
  return { ...finding, identity, unkeyed, ...(found && { secret: found }) };
}
