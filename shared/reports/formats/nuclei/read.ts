import { arrayOrLineEntries, readEntries } from '../../readers/entries.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { draftOf } from './match.ts';

/**
 * Nuclei's JSON lines (-jsonl, -jsonl-export) or JSON array (-json-export). It writes matches only: no targets, no end
 * mark. A file of lines that was cut exactly between two lines looks complete, so the sender must say whether the scan
 * covered its target.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'nuclei' };
  yield* readEntries(arrayOrLineEntries(open), draftOf, 'the entry has no template-id or says not where it matched');
}
