import type { AssetIdentity } from '#shared/entities/asset.ts';
import type { StoredFinding } from '#shared/entities/finding.ts';
import { priorityOf } from '#shared/findings/priority.ts';
import { dueFields, type Sla } from '#shared/findings/sla-policies.ts';
import type { Scan } from '#shared/ingest/submission.ts';
import type { ReportFinding, ReportLocation } from '#shared/reports/report.ts';
import { bounded } from '#shared/reports/text.ts';
import type { Draft } from '#shared/table/table.ts';
import { contentHashOf, FINGERPRINT_VERSION, fingerprintOf } from './fingerprint.ts';
import type { NamedAsset } from './known-assets.ts';
import { type OnBranch, otherNames } from './on-branch.ts';

/** A report's finding, ready to be applied: one line of a chunk. */
export type Entry = {
  fingerprint: string;
  contentHash: string;
  tool: string;
  /** The tool and its category (`sourceOf`), whose scans may close the finding; absent without a category. */
  source?: string;
  asset: AssetIdentity;
  finding: Omit<ReportFinding, 'asset' | 'identity'>;
  /** The fingerprint without the branch. */
  problem?: string;
  /** The fingerprints that the problem has, or had, on the default branch, without `fingerprint`. */
  others?: string[];
  /** The one on another branch that the report is compared with. */
  base?: string;
  /** Of an asset with several names: the fingerprints that the problem has under the others, with and without the branch. */
  aliased?: { fingerprints: string[]; problems: string[] };
};

export type ReportTool = { name: string; category?: string };

/** A tool that looks at one part of a tree knows nothing of the parts that its other runs look at. */
export const sourceOf = ({ name, category }: ReportTool): string =>
  bounded(name, MAX_LISTED.name) + (category ? ` (${category})` : '');

type Placed = { finding: ReportFinding; asset: NamedAsset; onBranch?: OnBranch };

export function entryOf(scan: Scan, tool: ReportTool, { finding: reported, asset: named, onBranch }: Placed): Entry {
  const { asset: _asset, identity, ...finding } = reported;
  const { identity: asset, aliases } = named;
  const ref = onBranch?.branch.name ?? scan.ref;
  const of = { tool: tool.name, identity };
  const fingerprintOn = (ref: string | undefined) => fingerprintOf({ ...of, asset, ref });
  const underAliases = (ref: string | undefined) => aliases.map((asset) => fingerprintOf({ ...of, asset, ref }));
  return {
    fingerprint: fingerprintOn(ref),
    contentHash: contentHashOf(reported),
    tool: bounded(tool.name, MAX_LISTED.name),
    ...(tool.category && { source: sourceOf(tool) }),
    asset,
    finding,
    ...(onBranch && branchFingerprints(onBranch, fingerprintOn, underAliases)),
    ...(aliases.length > 0 && {
      aliased: { fingerprints: underAliases(ref), problems: onBranch ? underAliases(undefined) : [] },
    }),
  };
}

type On<T> = (ref: string | undefined) => T;

function branchFingerprints(onBranch: OnBranch, on: On<string>, underAliases: On<string[]>) {
  const others = otherNames(onBranch);
  const { base } = onBranch;
  return {
    problem: on(undefined),
    ...(others.length > 0 && { others: others.flatMap((ref) => [on(ref), ...underAliases(ref)]) }),
    ...(base !== undefined && { base: on(base) }),
  };
}

/** Limits of texts and lists in a list row, which stays within 1 KB; the rest is in `identifiers`. */
const MAX_LISTED = { title: 200, location: 160, name: 120, cves: 5, cwes: 3, tags: 4 } as const;

export const listedAssetName = (value: string): string => bounded(value, MAX_LISTED.name);

/** The fields of a finding that come from the report, for a new finding and for one that changed. */
export function reportedFields({ finding, contentHash }: Entry, { commit }: Scan) {
  const { title, cves, cwes, tags, location, severity, cvssScore } = finding;
  const isCut = cves.length > MAX_LISTED.cves || cwes.length > MAX_LISTED.cwes || tags.length > MAX_LISTED.tags;
  return {
    title: bounded(title, MAX_LISTED.title),
    severity,
    toolSeverity: finding.toolSeverity,
    priority: priorityOf({ severity, cvssScore }),
    cves: cves.slice(0, MAX_LISTED.cves),
    cwes: cwes.slice(0, MAX_LISTED.cwes),
    tags: tags.slice(0, MAX_LISTED.tags),
    identifiers: isCut ? { cves, cwes, tags } : undefined,
    cvssScore,
    cvssVector: finding.cvssVector,
    location: bounded(locationLine(location), MAX_LISTED.location),
    locationDetail: { ...location, commit: location.commit ?? commit },
    otherLocations: finding.otherLocations,
    component: finding.component,
    ruleId: bounded(finding.ruleId, MAX_LISTED.name),
    description: finding.description,
    evidence: finding.evidence,
    references: finding.references,
    remediation: finding.remediation,
    contentHash,
  } satisfies Partial<StoredFinding>;
}

type NewFinding = {
  id: string;
  scan: Scan;
  scope: string;
  taskId: string;
  at: string;
  asset: StoredFinding['asset'];
  sla: Sla;
  onBranch?: OnBranch;
};

export function findingDraft(entry: Entry, to: NewFinding): Draft<StoredFinding> & { id: string } {
  const { id, scan, scope, taskId, at, asset, onBranch, sla } = to;
  return {
    ...reportedFields(entry, scan),
    id,
    status: 'open',
    reopenedCount: 0,
    asset,
    ...branchFields(entry, scan, onBranch),
    tool: entry.tool,
    firstSeenAt: at,
    ...dueFields(sla, { severity: entry.finding.severity, asset }, at),
    engagementId: scan.engagementId,
    scope,
    fingerprint: entry.fingerprint,
    fingerprintVersion: FINGERPRINT_VERSION,
    taskId,
  };
}

/** The branch of a finding; `problem` stands only where a merge looks for it. */
export function branchFields({ problem }: Entry, { ref }: Scan, onBranch: OnBranch | undefined) {
  if (!onBranch) return { ref };
  const { name, isDefault } = onBranch.branch;
  return { ref: name === '' ? undefined : name, problem: isDefault ? undefined : problem };
}

/** One printable line: `src/app.ts:12`, a URL, `10.0.0.7:443/tcp`. */
function locationLine({ path, line, url, host, port, protocol }: ReportLocation): string {
  if (path) return line === undefined ? path : `${path}:${line}`;
  if (url) return url;
  const place = port === undefined ? (host ?? '') : `${host ?? ''}:${port}`;
  return protocol && port !== undefined ? `${place}/${protocol}` : place;
}
