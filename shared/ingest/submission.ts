import { createHash } from 'node:crypto';
import { taskFolder } from '#shared/platform/jobs/task-files.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Upload } from '#shared/platform/uploads/upload.ts';
import type { ReportFormatId } from '#shared/reports/formats/declared.ts';
import type { ReportEncoding } from '#shared/reports/readers/decode.ts';
import type { ReportAsset } from '#shared/reports/report/report.ts';
import type { Build } from './build.ts';

/** The scanned target. A range of addresses is a target, but no asset. */
export type ScanTarget = { type: ReportAsset['type'] | 'cidr'; value: string };

/** A scan, without its report. */
export type Scan = {
  source: 'import' | 'scanner' | 'apex';
  /**
   * For a scanner: the target of its task, not a target that the report names. An import without a target closes
   * nothing.
   */
  target?: ScanTarget;
  /**
   * For an appliance: the targets of its task. A finding keeps its own asset if that is within them. Closes nothing.
   */
  targets?: readonly ScanTarget[];
  /** The zone in which the scan looked; private addresses of another zone are other assets. */
  zone?: string | null;
  /** Task type and profile. A narrow scan proves nothing about the findings of a wider one. */
  scanType?: string;
  /** The part of the target that the scan looked at, such as a folder of a repository. */
  part?: string;
  /** The branch; of a repository, none is its default branch. */
  ref?: string;
  /** The branch with which a report on a repository is compared; default: the default branch. */
  baseRef?: string;
  commit?: string;
  /** false: the report is partial, so nothing is closed. */
  closeMissing?: boolean;
  /** The sender decides on no finding: marks in the report that settle an entry do not count, and statements (VEX) are refused. */
  decides?: false;
  /** The sender may report on the target only: entries about other assets are rejected. */
  targetOnly?: true;
  engagementId?: string;
  scannerTaskId?: string;
  /** The run of the engagement. */
  runId?: string;
  /** The end of the scan itself; only a completed scan may close findings. */
  outcome?: 'completed' | 'failed' | 'cancelled';
  /** The ingest tasks of the scan's other reports, which may have the findings that this one lacks. */
  siblings?: readonly string[];
  /**
   * For an inventory: its owner, and since when all of its assets were sent (a time, or `now`: this report has all), so
   * that other assets are no longer in it.
   */
  inventory?: { source: string; complete?: string };
  targetsReached?: readonly string[];
  targetsFailed?: readonly { value: string; reason: string }[];
};

/** One report, as callers give it to the ingest. */
export type Submission = Scan & {
  /** A format's id, or `auto`. */
  format: string;
  report: { content: string; encoding?: ReportEncoding } | { uploadId: string };
  /** The build of CI whose gate judges the report with others. */
  build?: Build | undefined;
  /** The task's id, where a repeated request must find the task of the first. */
  taskId?: string;
  /**
   * For a machine that works for another organization: the machine's own organization, with its uploads and its task
   * list.
   */
  caller?: Table;
};

/** `checksum`: SHA-256 of the content; absent for one that an earlier release took. */
type SentContent = { key: string; encoding: ReportEncoding; checksum?: string };

/** The submission as the worker finds it in the bucket, beside the report. */
export type StoredSubmission = Scan & {
  format: ReportFormatId;
  report: SentContent | { upload: Upload };
};

/**
 * The scan scope: reports of one scan scope are worked one after the other, and a scan may close a finding of its scope
 * that it no longer sees. The format names the tool here, because the tool is known only after the report was read; the
 * scope's state separates the tools. A short id, so that it fits into a message group.
 */
export function scopeOf(scan: Scan, format: ReportFormatId): string {
  const { target, zone, scanType, ref, part } = scan;
  const parts = [target?.type ?? '', target?.value ?? '', zone ?? '', format, scanType ?? '', ref ?? ''];
  if (part !== undefined) parts.push(part);
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

/** The scan scope of an import, by its record. */
export const scopeOfImport = ({ target, scanType, ref, part, format, ...scan }: ImportedScan): string =>
  scopeOf(
    {
      ...scan,
      target: target ?? undefined,
      scanType: scanType ?? undefined,
      ref: ref ?? undefined,
      part: part ?? undefined,
    },
    format as ReportFormatId,
  );

type ImportedScan = Pick<Scan, 'source' | 'zone'> & {
  target: ScanTarget | null;
  scanType: string | null;
  part?: string | null | undefined;
  ref: string | null;
  format: string;
};

/** The scans that may see the same findings: a finding's fingerprint has the zone, the branch and the format's identity. */
export function familyOf({ zone, ref, format }: Pick<StoredSubmission, 'zone' | 'ref' | 'format'>): string {
  const parts = [zone ?? '', ref ?? '', format];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

/** The places of a task's files in the bucket. */
export const taskFiles = (organizationId: string, taskId: string) => {
  const folder = taskFolder(organizationId, taskId);
  return {
    report: `${folder}/report`,
    submission: `${folder}/submission.json`,
    manifest: `${folder}/manifest.json`,
    chunk: (n: number) => `${folder}/chunk-${n}`,
    seen: (n: number) => `${folder}/seen-${n}`,
    rows: (n: number) => `${folder}/rows-${n}`,
    tally: (n: number) => `${folder}/tally-${n}`,
    inventory: `${folder}/inventory`,
    compared: `${folder}/compared.json`,
    held: `${folder}/held`,
    proof: `${folder}/proof.json`,
    /** The changes of findings that it did not create, so that they can be undone. */
    closed: `${folder}/closed.json`,
    reopened: `${folder}/reopened.json`,
    updated: (n: number) => `${folder}/updated-${n}.json`,
    told: `${folder}/told.json`,
  };
};
