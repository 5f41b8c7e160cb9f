import { covers } from '#shared/assets/targets/covers.ts';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import type { ReportFormat } from '#shared/reports/readers/format.ts';
import type { Gap } from '#shared/reports/report/gap.ts';
import type { Extent, MissingFinding } from '#shared/reports/report/report.ts';
import type { StoredFinding } from '../finding/finding.ts';
import type { ClosingCode } from './closing-code.ts';

/** Facts of a report that was read to its end. */
export type ReportFacts = {
  /** The targets that the report names as reached or not, and how far the scan looked there. */
  covered: Extent & { reached: string[]; unreached: string[] };
  /** The tool reports that it did not finish, or an entry was unreadable. */
  incomplete: boolean;
  /** Why it is incomplete, and what it could not judge or reach; absent in reports of older releases. */
  gaps?: Gap[];
  /** The tools with results in the report, each with its category; the scan closes no other tool's findings. */
  tools: string[];
  /** All names of assets in the report, also of those that it reached, as findings list them; absent in reports of older releases. */
  named?: string[];
};

/** A scan as its sender describes it. */
type SentScan = {
  source: 'import' | 'scanner' | 'apex';
  target?: Pick<ScanTarget, 'type' | 'value'>;
  closeMissing?: boolean;
  outcome?: 'completed' | 'failed' | 'cancelled';
  targetsReached?: readonly string[];
  targetsFailed?: readonly { value: string }[];
};

/** A scan, the facts of its report and the rules of its format, which decide together. */
export type LookingScan = {
  scan: SentScan;
  format: Pick<ReportFormat, 'namesTargets' | 'wasLookedFor'>;
  facts: ReportFacts;
};

/** A missing finding and its asset. */
export type MissingOnAsset = MissingFinding & { asset: FindingAsset & { aliases?: readonly string[] } };
type FindingAsset = Pick<StoredFinding['asset'], 'type' | 'name'>;

/** Why a scan proves no finding gone; undefined where it may prove some gone. */
export function provesNothing({ scan, format, facts }: LookingScan): ClosingCode | undefined {
  const { source, target, outcome = 'completed', closeMissing = true, targetsReached } = scan;
  const { covered, incomplete } = facts;
  if (source === 'apex') return 'of_appliance';
  if (!target) return 'no_target';
  if (!closeMissing || outcome !== 'completed') return 'scan_partial';
  if (incomplete) return 'report_incomplete';
  if (unreachedBy(scan, facts).has(target.value)) return 'not_reached';
  if (format.namesTargets && covered.reached.length === 0) return 'not_reached';
  if (!isOfOneTarget(scan)) return undefined;
  const isConfirmed = !targetsReached || targetsReached.includes(target.value);
  return isConfirmed && covered.unreached.length === 0 ? undefined : 'not_reached';
}

/** A scanner whose task names one target looks only at that target, under any name in its report. */
const isOfOneTarget = ({ source, target }: SentScan): boolean => target?.type !== 'cidr' && source !== 'import';

const unreachedBy = ({ targetsFailed = [] }: SentScan, { covered }: ReportFacts): Set<string> =>
  new Set([...targetsFailed.map(({ value }) => value), ...covered.unreached]);

/**
 * Why the scan does not prove a finding gone although it looked for the finding to the end; undefined where it does. A
 * format that names its targets proves only findings on targets that the report names as reached.
 */
export function notProvenGone(looking: LookingScan): (missing: MissingOnAsset) => ClosingCode | undefined {
  const nothing = provesNothing(looking);
  if (nothing) return () => nothing;
  const { scan, format, facts } = looking;
  const { covered } = facts;
  const { namesTargets = false, wasLookedFor = () => true } = format;
  const failed = unreachedBy(scan, facts);
  const confirmed = scan.targetsReached && new Set(scan.targetsReached);
  const reached = new Set(covered.reached);
  const isConfirmed = (name: string) => !confirmed || confirmed.has(name) || confirmed.has(scan.target?.value ?? '');
  const isReached = (name: string) => isConfirmed(name) && !failed.has(name) && (!namesTargets || reached.has(name));
  // another name of the asset counts only where the scan itself reports that it reached it
  const named = new Set(facts.named);
  const isTarget = (name: string) => scan.source === 'import' && scan.target?.value === name;
  const isNamed = (name: string) => isTarget(name) || reached.has(name) || confirmed?.has(name) || named.has(name);
  const isLookedAt = lookedAtBy(looking, named);
  const isThere = (asset: MissingOnAsset['asset']) =>
    isOfOneTarget(scan) ||
    (isLookedAt(asset) && isReached(asset.name)) ||
    (asset.aliases ?? []).some((alias) => isNamed(alias) && isReached(alias));
  return (missing) => {
    if (!isThere(missing.asset)) return 'not_reached';
    return wasLookedFor(covered, missing) ? undefined : 'not_looked_for';
  };
}

/**
 * Whether an import looked at an asset: its report names the asset, or the asset is within the target. One repository may
 * send a report for each of its images: none of them says anything about the others.
 */
function lookedAtBy({ scan, facts }: LookingScan, named: ReadonlySet<string>): (asset: FindingAsset) => boolean {
  const { source, target } = scan;
  if (source !== 'import' || !facts.named || !target) return () => true;
  return ({ type, name }) => named.has(name) || (isTargetType(type) && covers(target, { type, value: name }));
}

/** Only inventories list the other types, which no scan has as its target. */
const isTargetType = (type: string): type is ScanTarget['type'] => type !== 'cloud_resource' && type !== 'edr_device';
