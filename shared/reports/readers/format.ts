import type { Extent, MissingFinding, OpenReport, ReportEvent } from '../report/report.ts';

/** Reads a whole report as events, in the order of the report. The tool's name comes first. */
type ReadReport = (open: OpenReport) => AsyncIterable<ReportEvent>;

/** One format of tool reports. Its folder, `formats/<id>/`, holds this declaration and its reader. */
export type ReportFormat<Id extends string = string> = {
  /** Callers send it, and it is part of every scan scope: never changed. */
  id: Id;
  /** For people: the tool, and the option that writes this format. */
  label: string;
  /** Possible first characters of a report, white space apart. */
  begins: string;
  /** Whether a report with this beginning (16 KB of text, white space apart) is surely of this format. */
  recognise: (head: string) => boolean;
  /** Whether a report that another format recognises is read as well, if it is sent with this format's name. */
  alsoReads?: (head: string) => boolean;
  /** How a tool that found nothing says so, where an empty file is what it usually writes. */
  whenNothingFound?: string;
  /** The reader tells which targets the scan reached (`covered`): a finding elsewhere is never taken for gone. */
  namesTargets?: true;
  /** Whether a scan of this extent would have found the finding again. Without this it always would. */
  wasLookedFor?: (extent: Extent, missing: MissingFinding) => boolean;
  /** For people: where the tool's SARIF makes another finding of a problem than this format does, and why. */
  inSarif?: string;
  /** Imports the reader, `read.ts` beside the declaration: with the first report only, and in no area's bundle. */
  read: () => Promise<{ read: ReadReport }>;
};

export const defineFormat = <const Id extends string>(format: ReportFormat<Id>): ReportFormat<Id> => format;
