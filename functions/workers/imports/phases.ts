import type { Facts } from '#shared/advisories/facts.ts';
import type { KnownAssets } from '#shared/assets/asset/known-assets.ts';
import type { Placing } from '#shared/assets/targets/zones.ts';
import type { ClosingCode } from '#shared/findings/closing/closing-code.ts';
import type { findings } from '#shared/findings/finding/finding.ts';
import type { KeptComparison } from '#shared/findings/gate/comparison.ts';
import type { Sla } from '#shared/findings/sla/sla-policies.ts';
import type { ReadyRule } from '#shared/findings/suppression/decide.ts';
import type { KeptRow } from '#shared/findings/suppression/stated-document.ts';
import type { ScopeRow } from '#shared/findings/view/scan-scope.ts';
import type { ScanState, SeenRecord } from '#shared/findings/view/scan-state.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import type { KeptProof } from '#shared/ingest/kept-proof.ts';
import type { StoredSubmission } from '#shared/ingest/submission.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Gap } from '#shared/reports/report/gap.ts';
import type { ReportInventory, Statement } from '#shared/reports/report/report.ts';
import type { ChangedSince } from './changed-since.ts';
import type { Line } from './entry.ts';
import type { importFiles } from './import-files.ts';
import type { Manifest } from './manifest.ts';
import type { OnBranch } from './on-branch.ts';
import type { Progress } from './progress.ts';
import type { KnownFinding, Remembered } from './remembered.ts';

/** A report that was accepted, before it is read. Its task holds the scan scope. */
export type Accepted = Context & {
  taskId: string;
  /** When the report came in: the time of all its changes, also when it is tried again. */
  at: string;
  submission: StoredSubmission;
  files: ReturnType<typeof importFiles>;
  scope: string;
  scopeRow: ScopeRow;
  /** Where the findings are: with those of default branches, or with those that only branches have. */
  entity: typeof findings;
  onBranch: OnBranch | undefined;
  earlier: Earlier;
  learned: Learned;
  progress: Progress;
};

/** The findings that earlier scans saw. */
type Earlier = {
  state: ScanState;
  /** The rows of its findings as the last scan of the scope left them. */
  remembered: () => Promise<Remembered>;
  /** The findings that changed since that scan. */
  changed: () => Promise<ChangedSince>;
  /** The same scan of the default branch under its other names: of a branch, all of them. */
  others: readonly ScanState[];
  /** Of the default branch: findings that only branches have, by the fingerprint without the branch. */
  merging: ReadonlyMap<string, FindingRow>;
};

/** Read once for a message of the import. */
type Learned = {
  sla: Sla;
  /** The assets of the report that were read or made until now. */
  assets: KnownAssets;
  /** The zone of an address, where the report names none. */
  placing: Placing;
  /** The facts about vulnerabilities. */
  facts: () => Promise<Facts>;
  /** A rule that is made meanwhile is applied by its own task, which comes after the slice. */
  rules: () => Promise<ReadyRule[]>;
  /** VEX documents, the newest first. */
  documents: () => Promise<KeptRow[]>;
};

/** A report that was read to its end. Its entries are in chunks. */
export type Read = Accepted & {
  manifest: Manifest;
  /** Findings of the default branch, or of another target, that came or returned since this time are new; absent: `at`. */
  since?: string;
  /** The findings that entries have under an identity of an earlier release, by the entry's fingerprint. */
  carried?: ReadonlyMap<string, string>;
  /** The entries of a report that is small enough not to be kept in chunks. */
  entries?: Line[];
  /** The inventories of the report, if this slice read the report. */
  inventories?: ReportInventory[];
  /** The statements of a VEX document, if this slice read the report. */
  statements?: Statement[];
};

/** An entry with its last sighting and its finding, if known. */
export type KnownEntry = {
  entry: Line;
  seen: SeenRecord | undefined;
  current: KnownFinding | undefined;
  /** The finding has another fingerprint: of an earlier name of the default branch, or of an earlier release. */
  isRenamed?: boolean;
  /** Of a report on a branch: the finding of the branch with which it is compared. It stays as it is. */
  base?: KnownFinding;
  /** Of a report on the default branch: the finding of a branch that was merged. */
  merged?: FindingRow;
};

/** One chunk of a report, with the findings that its entries name. */
export type LookedUp = { entries: Line[]; known: KnownEntry[] };

/** A report whose entries are findings. */
export type Applied = Read & {
  /** Findings of the scope that were open before and are seen again. */
  openBefore: number;
  /** A later version of the VEX document was applied before: this one decides nothing. */
  isOutdated?: boolean;
  /** Later findings are compared with the VEX document. */
  isKept?: boolean;
};

/** A report whose missing findings are closed, or held until a person confirms it. */
export type Closed = Applied & {
  /** The scope's sightings after the report. */
  state: ScanState;
  held: Held | undefined;
  /** The scan as proof for later, or why it proves nothing. */
  proof: KeptProof | undefined;
  missing: ClosingCode | undefined;
  /** Gaps of the report, or of another report of the same scan. */
  gaps: Gap[] | undefined;
};

/** A closing that waits for a person: the findings, and how many of the scope were open before it. */
type Held = { records: SeenRecord[]; open: number; apart?: true };

export type Compared = Closed & { compared: KeptComparison };

/** A report whose task has ended; the files that it replaces are still there. */
export type Recorded = Compared & { replaced: string[] };
