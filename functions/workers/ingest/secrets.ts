import { type AssetIdentity, assetKey } from '#shared/assets/asset/asset.ts';
import type { FormerIdentity, KeyedFinding } from '#shared/findings/finding/reported.ts';
import { quotesSecret } from '#shared/reports/readers/quoted-secret.ts';
import type { ReportFinding } from '#shared/reports/report/report.ts';
import { foundSecret, keyedIdentity } from '#shared/vulnerabilities/exposed-credentials/digest.ts';
import type { Session } from './session.ts';

/** Takes the text of its secret out of a finding, and out of what its fingerprint is made of, before anything of it is written. */
export async function keyedFinding(
  { connections, table, at }: Session,
  asset: AssetIdentity,
  { secret, formerIdentities = [], ...told }: ReportFinding,
): Promise<KeyedFinding> {
  const each = formerIdentities.map((identity) => keptUnder({ connections, table }, told, identity));
  const former = (await Promise.all(each)).flat();
  if (!secret && !quotesSecret(told)) return { ...told, ...(former.length > 0 && { former }) };
  const unkeyed = told.identity; // which releases before 1.8 gave it
  const identity = await keyedIdentity({ connections, table }, unkeyed);
  const found =
    secret && (await foundSecret({ connections, table }, secret, { place: [assetKey(asset), ...unkeyed], at }));
  return {
    ...{ ...told, identity, isKeyed: true, former: [{ isKeyed: false, identity: unkeyed }, ...former] },
    ...(found && { secret: found }),
  };
}

/** An earlier release knew of no component in some reports, and took the title of an advisory for one about a secret. */
async function keptUnder(
  at: Pick<Session, 'connections' | 'table'>,
  finding: Omit<ReportFinding, 'secret'>,
  identity: string[],
): Promise<FormerIdentity[]> {
  const plain = { isKeyed: false, identity };
  if (!quotesSecret({ ...finding, component: undefined })) return [plain];
  return [plain, { isKeyed: true, identity: await keyedIdentity(at, identity) }];
}
