import type { ReportFacts } from '#shared/findings/closing/proven-gone.ts';
import { bounded, oneLine } from '#shared/reports/readers/text.ts';
import type { Gap } from '#shared/reports/report/gap.ts';
import { withGap } from '#shared/reports/report/gap-words.ts';
import {
  type Benchmark,
  type Extent,
  LIMITS,
  type ReportAsset,
  type StatedDocument,
} from '#shared/reports/report/report.ts';

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

/** More than the rules of any tool. */
const MAX_UNJUDGED = 20_000;

/** Adds how far a part of the report looked. */
export function takeExtent(covered: ReportFacts['covered'], { ports = [], scripts }: Extent): void {
  covered.ports = [...(covered.ports ?? []), ...ports].slice(0, MAX_RANGES);
  covered.scripts ||= scripts;
}

/** Adds something that the report lacks: it closes nothing, or no finding of these rules. */
export function takeGap(manifest: Manifest, { rules, ...gap }: Gap & { rules?: string[] | undefined }): void {
  manifest.gaps = withGap(manifest.gaps ?? [], { ...gap, ...(gap.first && { first: said(gap.first) }) });
  const { unjudged = [] } = manifest.covered;
  if (rules && unjudged.length + rules.length <= MAX_UNJUDGED) manifest.covered.unjudged = [...unjudged, ...rules];
  else if (rules || !gap.partly) manifest.incomplete = true;
}

const said = (text: string): string => bounded(oneLine(text), LIMITS.name);

export function reject(manifest: Manifest, rejected: Rejected): void {
  if (manifest.rejected.length < MAX_REJECTED) manifest.rejected.push(rejected);
  manifest.rejectedCount += 1;
}
