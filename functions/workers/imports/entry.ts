import type { Exploitation } from '#shared/advisories/facts.ts';
import type { AssetIdentity } from '#shared/assets/asset/asset.ts';
import type { NamedAsset } from '#shared/assets/asset/known-assets.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import {
  type DescribedFinding,
  type KeyedFinding,
  MAX_LISTED,
  reportedFields,
} from '#shared/findings/finding/reported.ts';
import { fromAsset, ratingOf } from '#shared/findings/sla/rating.ts';
import { dueFields, type Sla } from '#shared/findings/sla/sla-policies.ts';
import type { Scan } from '#shared/ingest/submission.ts';
import type { Draft } from '#shared/platform/table/table.ts';
import { bounded } from '#shared/reports/readers/text.ts';
import type { ReportFinding } from '#shared/reports/report/report.ts';
import { contentHashOf, FINGERPRINT_VERSION, fingerprintOf, KEYED_FINGERPRINT_VERSION } from './fingerprint.ts';
import { type OnBranch, otherNames } from './on-branch.ts';

/** A report's finding, ready to be applied. */
export type Entry = {
  fingerprint: string;
  contentHash: string;
  tool: string;
  /** The tool and its category (`sourceOf`), whose scans may close the finding; absent without a category. */
  source?: string;
  asset: AssetIdentity;
  finding: DescribedFinding;
  /** The fingerprint without the branch. */
  problem?: string;
  /** The fingerprints that the problem has, or had, on the default branch, without `fingerprint`. */
  others?: string[];
  /** The one on another branch that the report is compared with. */
  base?: string;
  /** Of an asset with several names: the fingerprints that the problem has under the others, with and without the branch. */
  aliased?: { fingerprints: string[]; problems: string[] };
  /** Of a finding whose identity is hashed under a key, because a secret is in it. */
  isKeyed?: true;
  /** The report names the problem several times. */
  isRepeated?: true;
};

/** An entry that says what the last report said. Its finding is the n-th that the report names, and is seldom asked for. */
type UnchangedEntry = Omit<Entry, 'finding'> & { finding?: undefined; nth: number };

/** One line of a chunk. */
export type Line = Entry | UnchangedEntry;

/** An entry with its finding, which `lookUp` adds where it may be written. */
export function wholeEntry(line: Line): Entry {
  if (!line.finding) throw new Error(`the entry ${line.fingerprint} was taken for unchanged`);
  return line;
}

/** The fingerprints that the finding of an entry may have, and the same without the branch. */
export const fingerprintsOf = ({ fingerprint, aliased }: Line): string[] => [
  fingerprint,
  ...(aliased?.fingerprints ?? []),
];
export const problemsOf = ({ problem = '', aliased }: Line): string[] => [problem, ...(aliased?.problems ?? [])];

const versionOf = (isKeyed = false): number => (isKeyed ? KEYED_FINGERPRINT_VERSION : FINGERPRINT_VERSION);

export const fingerprintFields = ({ fingerprint, isKeyed }: Entry) => ({
  fingerprint,
  fingerprintVersion: versionOf(isKeyed),
});

/** The published facts of the vulnerabilities that a finding names. */
export type Exploited = (finding: Entry['finding']) => Exploitation;

export type ReportTool = { name: string; category?: string };

/** A tool that looks at one part of a tree knows nothing of the parts that its other runs look at. */
export const sourceOf = ({ name, category }: ReportTool): string =>
  bounded(name, MAX_LISTED.name) + (category ? ` (${category})` : '');

type Placed = { finding: KeyedFinding; asset: NamedAsset; onBranch?: OnBranch };

/** The described problem of a finding that has no secret. */
export function withoutIdentity({ asset: _asset, identity: _identity, secret: _secret, ...finding }: ReportFinding) {
  return finding;
}

export function entryOf(scan: Scan, tool: ReportTool, { finding: reported, asset: named, onBranch }: Placed): Entry {
  const { asset: _asset, identity, isKeyed, ...finding } = reported;
  const { identity: asset, aliases } = named;
  const ref = onBranch?.branch.name ?? scan.ref;
  const now = { version: versionOf(isKeyed), tool: tool.name, identity };
  const fingerprintOn = (ref: string | undefined) => fingerprintOf({ ...now, asset, ref });
  const underAliases = (ref: string | undefined) => aliases.map((asset) => fingerprintOf({ ...now, asset, ref }));
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
    ...(isKeyed && { isKeyed }),
  };
}

type On<T> = (ref: string | undefined) => T;

function branchFingerprints(onBranch: OnBranch, on: On<string>, underOthers: On<string[]>) {
  const others = otherNames(onBranch);
  const { base } = onBranch;
  return {
    problem: on(undefined),
    ...(others.length > 0 && { others: others.flatMap((ref) => [on(ref), ...underOthers(ref)]) }),
    ...(base !== undefined && { base: on(base) }),
  };
}

type NewFinding = {
  id: string;
  scan: Scan;
  scope: string;
  taskId: string;
  at: string;
  asset: StoredFinding['asset'];
  sla: Sla;
  exploited: Exploited;
  onBranch?: OnBranch;
};

export function findingDraft(entry: Entry, to: NewFinding): Draft<StoredFinding> & { id: string } {
  const { id, scan, scope, taskId, at, asset, onBranch, sla, exploited } = to;
  const fields = {
    ...reportedFields(entry, scan, exploited(entry.finding)),
    id,
    status: 'open' as const,
    reopenedCount: 0,
    asset,
    ...branchFields(entry, scan, onBranch),
    tool: entry.tool,
    firstSeenAt: at,
    ...dueFields(sla, { severity: entry.finding.severity, asset }, at),
    ...fromAsset(sla.assets.get(asset.id)),
    engagementId: scan.engagementId,
    scope,
    ...fingerprintFields(entry),
    taskId,
  };
  return { ...fields, ...ratingOf(fields, at) };
}

/** The branch of a finding; `problem` is set only where a merge looks for it. */
export function branchFields({ problem }: Entry, { ref }: Scan, onBranch: OnBranch | undefined) {
  if (!onBranch) return { ref };
  const { name, isDefault } = onBranch.branch;
  return { ref: name === '' ? undefined : name, problem: isDefault ? undefined : problem };
}
