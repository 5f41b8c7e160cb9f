import { BlockList, isIP } from 'node:net';
import { covers } from '#shared/assets/targets/covers.ts';
import { repositoryName } from '#shared/assets/targets/repository.ts';
import type { Scan, ScanTarget } from '#shared/ingest/submission.ts';
import type { ReportFormat } from '#shared/reports/readers/format.ts';
import type { Extent, MissingFinding, ReportAsset, ReportFinding } from '#shared/reports/report/report.ts';

/** The targets that a report names as reached or not, and how far the scan looked there. */
type Covered = Extent & { reached: string[]; unreached: string[] };

/** All odd ports of two protocols; no honest report names more ranges. */
const MAX_RANGES = 65_536;

export function takeExtent(covered: Covered, { ports = [], scripts }: Extent): void {
  covered.ports = [...(covered.ports ?? []), ...ports].slice(0, MAX_RANGES);
  covered.scripts ||= scripts;
}

/** Facts of a report that was read to its end. */
export type ReportFacts = {
  covered: Covered;
  /** The tool says that it did not finish, or an entry could not be read. */
  incomplete: boolean;
  /** The tools (`sourceOf`) whose results the report has; it closes no other tool's findings. */
  tools: string[];
};

/** An import that names nothing may still bring findings; they have to lie somewhere. */
const UNNAMED_TARGET: ReportAsset = { type: 'application', value: 'unnamed' };

/**
 * The asset on which a finding lies; undefined when it is outside the scan's target. A scanner's finding is on the
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

/** A missing finding and the asset on which it lay. */
type MissingOnAsset = MissingFinding & { asset: { name: string; aliases?: readonly string[] } };

/** A scan and the rules of its format, which decide together. */
type ScanProof = { scan: Scan; format: Pick<ReportFormat, 'namesTargets' | 'wasLookedFor'> };

/**
 * Which findings the scan, having looked for them to the end, proves gone; undefined when it proves nothing at all.
 * A format that names its targets proves only what is on targets that the report names as reached.
 */
export function provenGone(
  { scan, format }: ScanProof,
  { covered, incomplete }: ReportFacts,
): ((missing: MissingOnAsset) => boolean) | undefined {
  const { target, outcome = 'completed', closeMissing = true } = scan;
  if (!target || !closeMissing || incomplete || outcome !== 'completed') return undefined;
  const failed = new Set([...(scan.targetsFailed ?? []).map(({ value }) => value), ...covered.unreached]);
  if (failed.has(target.value)) return undefined;
  const confirmed = scan.targetsReached && new Set(scan.targetsReached);
  const { namesTargets = false, wasLookedFor = () => true } = format;
  if (namesTargets && covered.reached.length === 0) return undefined;
  const reached = new Set(covered.reached);
  const isConfirmed = (name: string) => !confirmed || confirmed.has(name) || confirmed.has(target.value);
  const isLookedFor = (missing: MissingFinding) => wasLookedFor(covered, missing);
  if (target.type !== 'cidr' && scan.source !== 'import')
    return isConfirmed(target.value) && covered.unreached.length === 0 ? isLookedFor : undefined;
  const isReached = (name: string) => isConfirmed(name) && !failed.has(name) && (!namesTargets || reached.has(name));
  // another name of the asset counts only where the scan itself says that it reached it
  const isNamed = (name: string) => reached.has(name) || confirmed?.has(name);
  return (missing) => {
    const { name, aliases = [] } = missing.asset;
    const isThere = isReached(name) || aliases.some((alias) => isNamed(alias) && isReached(alias));
    return isThere && isLookedFor(missing);
  };
}
