import { BlockList, isIP } from 'node:net';
import { covers } from '#shared/assets/targets/covers.ts';
import { imageName } from '#shared/assets/targets/image.ts';
import { repositoryName } from '#shared/assets/targets/repository.ts';
import type { Scan, ScanTarget } from '#shared/ingest/submission.ts';
import { hostnameOf } from '#shared/platform/runtime/addresses.ts';
import type { ReportAsset, ReportEvent, ReportFinding } from '#shared/reports/report/report.ts';

/** An import that names nothing may still bring findings; they need an asset. */
const UNNAMED_TARGET: ReportAsset = { type: 'application', value: 'unnamed' };

/** `alias`: the name that the report has for the target. */
type Named = Pick<Scan, 'source' | 'target' | 'targets' | 'targetOnly'> & { alias?: string | undefined };

/** A report of these names one asset, which is the target. Other reports may name many. */
const OF_ONE: readonly string[] = ['repository', 'container_image'];

/**
 * The asset of a finding; undefined when it is outside the scan's target. A scanner's finding is on the
 * target of its task, or within the target's range of addresses, whatever asset the report names. The target that a
 * sender names replaces the name that the report has for it.
 */
export function assetFor(scan: Named, finding: Pick<ReportFinding, 'asset'>): ReportAsset | undefined {
  const { source, target, targets, alias } = scan;
  const asset = finding.asset && inOneSpelling(finding.asset);
  if (targets) return asset && targets.some((one) => covers(one, asset)) ? asset : undefined;
  const named =
    target && target.type !== 'cidr' ? inOneSpelling({ type: target.type, value: target.value }) : undefined;
  if (source === 'import') {
    const isNamed = named && asset?.type === named.type && (OF_ONE.includes(named.type) || asset.value === alias);
    if (isNamed || isOnHostOf(named, asset) || !asset) return named ?? UNNAMED_TARGET;
    return scan.targetOnly ? undefined : asset;
  }
  if (named) return named;
  if (!asset) return undefined;
  return target && isWithin(target, asset) ? asset : undefined;
}

/** Of the names of a repository or an image, the one under which its asset is known. */
export function inOneSpelling(asset: ReportAsset): ReportAsset {
  if (asset.type === 'container_image') return { ...asset, value: imageName(asset.value) };
  return asset.type === 'repository' ? { ...asset, value: repositoryName(asset.value) } : asset;
}

/**
 * The name of the target in a report that names only one asset of the target's type, and that under another name; reads
 * the report until a second one comes.
 */
export async function aliasIn(target: Scan['target'], events: AsyncIterable<ReportEvent>): Promise<string | undefined> {
  let alias: string | undefined;
  for await (const event of events) {
    const asset = assetOf(event);
    if (asset?.type !== target?.type || asset?.value === alias) continue;
    if (alias !== undefined || asset?.value === target?.value) return undefined;
    alias = asset?.value;
  }
  return alias;
}

function assetOf(event: ReportEvent) {
  if (event.kind === 'finding') return event.finding.asset;
  if (event.kind === 'inventory') return event.inventory.asset;
  return event.kind === 'covered' ? event.target : undefined;
}

/** A page of the code host that the repository is on: some tools name the repository by its address there. */
const isOnHostOf = (named: ReportAsset | undefined, asset: ReportAsset | null): boolean =>
  named?.type === 'repository' && asset?.type === 'url' && hostOf(asset.value) === (hostOf(named.value) ?? '');

const hostOf = (url: string): string | undefined => URL.parse(url)?.host;

/** Whether an asset named by an address is in a range. */
function isWithin({ value: range }: ScanTarget, asset: ReportAsset): boolean {
  const url = asset.type === 'url' ? URL.parse(asset.value) : undefined;
  const address = hostnameOf(url ?? { hostname: asset.value });
  const [network = '', bits] = range.split('/');
  const family = isIP(address);
  if (family === 0 || isIP(network) !== family) return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, Number(bits ?? (family === 4 ? 32 : 128)), kind);
  return list.check(address, kind);
}
