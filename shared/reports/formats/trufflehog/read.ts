import { arrayOrLineEntries, type Drafts, readEntries } from '../../readers/entries.ts';
import { isObject, type JsonObject, textAt } from '../../readers/json.ts';
import { draftsOfStrings } from '../../readers/secret-strings.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { draftOfDetection } from './detection.ts';

/** TruffleHog's JSON lines, or a list of them: of version 3 (`SourceMetadata`), and of version 2 (`stringsFound`). */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'trufflehog' };
  yield* readEntries(arrayOrLineEntries(open), draftsOf, 'the entry names no detector or reason, or no place');
}

function draftsOf(entry: JsonObject): Drafts | undefined {
  if (isObject(entry.SourceMetadata)) return draftOfDetection(entry);
  return isLogLine(entry) ? [] : draftsOfStrings(entry);
}

/** Its log, which shells may put between the lines. */
const isLogLine = (entry: JsonObject): boolean =>
  textAt(entry, 'logger') !== undefined || (textAt(entry, 'level') !== undefined && textAt(entry, 'msg') !== undefined);
