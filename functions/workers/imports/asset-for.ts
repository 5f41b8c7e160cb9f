import { BlockList, isIP } from 'node:net';
import { covers } from '#shared/assets/targets/covers.ts';
import { repositoryName } from '#shared/assets/targets/repository.ts';
import type { Scan, ScanTarget } from '#shared/ingest/submission.ts';
import type { ReportAsset, ReportFinding } from '#shared/reports/report/report.ts';

/** An import that names nothing may still bring findings; they need an asset. */
const UNNAMED_TARGET: ReportAsset = { type: 'application', value: 'unnamed' };

/**
 * The asset of a finding; undefined when it is outside the scan's target. A scanner's finding is on the
 * target of its task, or within the target's range of addresses, whatever asset the report names.
 */
export function assetFor(scan: Scan, finding: Pick<ReportFinding, 'asset'>): ReportAsset | undefined {
  const { source, target, targets } = scan;
  const asset = finding.asset && inOneSpelling(finding.asset);
  if (targets) return asset && targets.some((one) => covers(one, asset)) ? asset : undefined;
  const named = target && target.type !== 'cidr' ? { type: target.type, value: target.value } : undefined;
  if (source === 'import') {
    const isSameKind = named && asset?.type === 'repository' && named.type === 'repository';
    return (isSameKind ? named : asset) ?? named ?? UNNAMED_TARGET;
  }
  if (named) return named;
  if (!asset) return undefined;
  return target && isWithin(target, asset) ? asset : undefined;
}

/** The scan's target has the one spelling already (`acceptReport`); what a report names has not. */
export const inOneSpelling = (asset: ReportAsset): ReportAsset =>
  asset.type === 'repository' ? { ...asset, value: repositoryName(asset.value) } : asset;

/** Whether an asset named by an address is in a range. */
function isWithin({ value: range }: ScanTarget, asset: ReportAsset): boolean {
  const host = asset.type === 'url' && URL.canParse(asset.value) ? new URL(asset.value).hostname : asset.value;
  const address = host.replace(/^\[|\]$/g, '');
  const [network = '', bits] = range.split('/');
  const family = isIP(address);
  if (family === 0 || isIP(network) !== family) return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, Number(bits ?? (family === 4 ? 32 : 128)), kind);
  return list.check(address, kind);
}
