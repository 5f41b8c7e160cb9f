import { MAX_REJECTED, notThis } from '../readers/entries.ts';
import type { Reading } from '../readers/format.ts';
import { readHead } from '../readers/head.ts';
import { toUtf8 } from '../readers/text.ts';
import type { OpenReport, ReportEvent } from '../report/report.ts';
import { chooseFormat } from './formats.ts';

/**
 * Reads a report of the named format, or of the format that recognizes it (`auto`), as events in the order of the
 * report. A `tool` event applies to the findings after it. Throws ReportError when the whole report is unusable; apply
 * no event before the end, because only the end may show that a report is broken. `open` may be called three times.
 */
export async function* readReport(format: string, open: OpenReport, how: Reading = {}): AsyncGenerator<ReportEvent> {
  const openText = () => toUtf8(open());
  const { read } = await (await chooseFormat(format, await readHead(openText()))).read();
  let rejected = 0;
  for await (const event of read(openText, how)) {
    if (event.kind === 'rejected' && ++rejected > MAX_REJECTED) throw notThis(MAX_REJECTED, event.reason, event.where);
    yield event;
  }
}
