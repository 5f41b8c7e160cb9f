import { readHead } from '../readers/head.ts';
import { toUtf8 } from '../readers/text.ts';
import type { OpenReport, ReportEvent } from '../report/report.ts';
import { chooseFormat } from './formats.ts';

/**
 * Reads a report of the named format, or of the one that recognises it (`auto`), as events in the order of the report. A
 * `tool` event holds for the findings after it. Throws ReportError when the report as a whole cannot be used; apply no
 * event before the end, because a report may prove broken only there. `open` may be called three times.
 */
export async function* readReport(format: string, open: OpenReport): AsyncGenerator<ReportEvent> {
  const openText = () => toUtf8(open());
  const { read } = await (await chooseFormat(format, await readHead(openText()))).read();
  yield* read(openText);
}
