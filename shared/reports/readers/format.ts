import type { Extent, MissingFinding, OpenReport, ReportEvent } from '../report/report.ts';

/** `decides: false`: an entry that the report marks as settled (suppressed, ignored, closed) is a finding like any other. */
export type Reading = { decides?: false | undefined };

/** Reads a whole report as events, in the order of the report. The tool's name comes first. */
type ReadReport = (open: OpenReport, how: Reading) => AsyncIterable<ReportEvent>;

/** One format of tool reports. Its folder, `formats/<id>/`, holds this declaration and its reader. */
export type ReportFormat<Id extends string = string> = {
  /** Callers send it, and it is part of every scan scope: never changed. */
  id: Id;
  /** For people: the tool, and the option that writes this format. */
  label: string;
  /** Possible first characters of a report, white space apart. */
  begins: string;
  /** Whether a report with this beginning (16 KB of text without white space) certainly has this format. */
  recognise: (head: string) => boolean;
  /** Whether this reader also reads a report of another format, if it is sent with this format's name. */
  alsoReads?: (head: string) => boolean;
  /** The output of the tool when it finds nothing, where that is usually an empty file. */
  whenNothingFound?: string;
  /** The reader reports the targets that the scan reached (`covered`): a finding elsewhere never counts as gone. */
  namesTargets?: true;
  /** Whether a scan of this extent would have found the finding again. Without this function it always would. */
  wasLookedFor?: (extent: Extent, missing: MissingFinding) => boolean;
  /** For people: where the tool's SARIF makes another finding of a problem than this format does, and why. */
  inSarif?: string;
  /** Imports the reader, `read.ts` beside the declaration: with the first report only, and in no area's bundle. */
  read: () => Promise<{ read: ReadReport }>;
};

export const defineFormat = <const Id extends string>(format: ReportFormat<Id>): ReportFormat<Id> => format;
