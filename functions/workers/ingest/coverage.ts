import { BlockList, isIP } from 'node:net';
import type { Scan, ScanTarget } from '#shared/ingest/submission.ts';
import type { ReportFormat } from '#shared/reports/format.ts';
import type { Extent, MissingFinding, ReportAsset, ReportFinding } from '#shared/reports/report.ts';
import { covers } from '#shared/targets/covers.ts';

/** What a report itself says of its targets, and how far it looked there. */
export type Covered = Extent & { reached: string[]; unreached: string[] };

/** What the worker knows of a report that it has read to its end. */
export type ReportFacts = {
  covered: Covered;
  /** The tool says that it did not finish, or an entry could not be read. */
  incomplete: boolean;
  /** The tools (`sourceOf`) whose results the report has; another tool's findings are none of its business. */
  tools: string[];
};

/** An import that names nothing may still bring findings; they have to lie somewhere. */
const UNNAMED_TARGET: ReportAsset = { type: 'application', value: 'unnamed' };

/**
 * The asset on which a finding lies; undefined when the report speaks of something that was not asked for. What a
 * scanner reports lies on the target of its lease, or within its range of addresses, never where the report says.
 */
export function assetFor(scan: Scan, { asset }: Pick<ReportFinding, 'asset'>): ReportAsset | undefined {
  const { source, target, targets } = scan;
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

/** Whether an asset named by an address lies in a range. */
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
type MissingOnAsset = MissingFinding & { asset: { name: string } };

/** What a scan proves gone depends on its format too. */
type ScanProof = { scan: Scan; format: Pick<ReportFormat, 'namesTargets' | 'wasLookedFor'> };

/**
 * Which findings the scan, having looked for them to the end, proves gone; undefined when it proves nothing at all.
 * A format that names its targets proves only what lies on targets that the report names as reached.
 */
export function provenGone(
  { scan, format }: ScanProof,
  { covered, incomplete }: ReportFacts,
): ((missing: MissingOnAsset) => boolean) | undefined {
  const { target, outcome = 'completed', closeMissing = true } = scan;
  if (!target || !closeMissing || incomplete || outcome !== 'completed') return undefined;
  const failed = new Set([...(scan.targetsFailed ?? []).map(({ value }) => value), ...covered.unreached]);
  if (failed.has(target.value)) return undefined;
  const told = scan.targetsReached && new Set(scan.targetsReached);
  const { namesTargets = false, wasLookedFor = () => true } = format;
  if (namesTargets && covered.reached.length === 0) return undefined;
  const reached = new Set(covered.reached);
  const isTold = (name: string) => !told || told.has(name) || told.has(target.value);
  const isLookedFor = (missing: MissingFinding) => wasLookedFor(covered, missing);
  if (target.type !== 'cidr' && scan.source !== 'import')
    return isTold(target.value) && covered.unreached.length === 0 ? isLookedFor : undefined;
  return (missing) => {
    const { name } = missing.asset;
    return isTold(name) && !failed.has(name) && (!namesTargets || reached.has(name)) && isLookedFor(missing);
  };
}
