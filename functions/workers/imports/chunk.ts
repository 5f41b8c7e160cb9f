import type { ensureAssets } from '#shared/findings/finding/assets.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import type { SuppressNew } from '#shared/findings/suppression/new-findings.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Severity } from '#shared/reports/report/report.ts';
import type { Exploited } from './entry.ts';
import type { KnownEntry } from './phases.ts';
import type { Checkpoint } from './progress.ts';
import type { KnownFinding } from './remembered.ts';
import type { Settle } from './stated/later.ts';

/** A chunk that is being applied: its entries with their known findings, and the ids of its new findings. */
export type Chunk = {
  known: KnownEntry[];
  ids: Map<number, string>;
  assets: Awaited<ReturnType<typeof ensureAssets>>;
  /** The danger of the vulnerabilities that entries name. */
  exploited: Exploited;
  /** The change that the suppression rules make to a new finding. */
  suppress: SuppressNew;
  /** The decision of earlier VEX documents on a finding that no rule suppresses. */
  settle: Settle;
  /** Whole findings that may have to be written. */
  whole: Map<string, StoredFinding>;
  /** Those of branches that were merged. */
  merged: Map<string, StoredFinding>;
};

/** The writes that an entry asks for, how it counts, and the severity of what is created or opened again. */
export type Change = {
  counts: keyof Checkpoint['counts'];
  severity?: Severity;
  /** Absent where nothing changes. */
  write?: (batch: Batch) => void;
  /** The finding as it is then. */
  after: KnownFinding | undefined;
};
