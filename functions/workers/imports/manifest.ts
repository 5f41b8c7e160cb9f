import type { ReportFacts } from '#shared/findings/closing/proven-gone.ts';
import type { Benchmark, Extent, ReportAsset, StatedDocument } from '#shared/reports/report/report.ts';

/** Lines of a chunk at most. */
export const CHUNK_ENTRIES = 2000;

type Rejected = { reason: string; where: string };

/** The result of reading a whole report, kept beside its chunks. */
export type Manifest = ReportFacts & {
  /** 0: the report is so small that it is read again instead. */
  chunks: number;
  findings: number;
  /** Entries that repeat another entry of the report; absent in reports of older releases. */
  repeated?: number;
  /** The name that the report has for the target which its sender named. */
  alias?: string | undefined;
  /** The tools without their categories. */
  toolNames: string[];
  /** The folders of files with findings, `''` for the root; absent in reports of older releases, and of very many folders. */
  folders?: string[];
  /** Of the findings, in any order; absent where the commit tells reports apart. */
  digest?: string | undefined;
  /** Of a report with statements about exploitability (VEX): their document, and their number. */
  document?: StatedDocument;
  statements?: number;
  /** The report has findings about secrets, so that it may quote them. */
  secrets?: true;
  /** The first of them; `rejectedCount` counts all. */
  rejected: Rejected[];
  rejectedCount: number;
  /** The targets that the report names as reached, and the checks that they passed; `''` is the target of the scan. */
  looked: Looked;
};

/** `passed`: by `targetKey`, the keys of checks. */
type Looked = {
  reached: ReportAsset[];
  passed: Record<string, { benchmark: Benchmark; checks: string[] }>;
};

const MAX_REJECTED = 50;

export const newManifest = (): Manifest => ({
  chunks: 0,
  findings: 0,
  toolNames: [],
  rejected: [],
  rejectedCount: 0,
  covered: { reached: [], unreached: [] },
  incomplete: false,
  tools: [],
  looked: { reached: [], passed: {} },
});

/** All odd ports of two protocols; no honest report names more ranges. */
const MAX_RANGES = 65_536;

/** Adds how far a part of the report looked. */
export function takeExtent(covered: ReportFacts['covered'], { ports = [], scripts }: Extent): void {
  covered.ports = [...(covered.ports ?? []), ...ports].slice(0, MAX_RANGES);
  covered.scripts ||= scripts;
}

export function reject(manifest: Manifest, rejected: Rejected): void {
  if (manifest.rejected.length < MAX_REJECTED) manifest.rejected.push(rejected);
  manifest.rejectedCount += 1;
}
