import { readApex } from './apex.ts';
import { emptyReport, HEAD_BYTES, isReportFormat, recogniseFormat, reportFormats, unknownFormat } from './formats.ts';
import { readNmap } from './nmap.ts';
import { readNuclei } from './nuclei.ts';
import type { OpenReport, ReportEvent, ReportFormatId } from './report.ts';
import { readSarif } from './sarif.ts';
import { toUtf8 } from './text.ts';

const readers: Record<ReportFormatId, (open: OpenReport) => AsyncGenerator<ReportEvent>> = {
  sarif: readSarif,
  nmap: readNmap,
  nuclei: readNuclei,
  apex: readApex,
};

/**
 * Reads a report of the named format, or of the one that it shows (`auto`), as events in the order of the report. A
 * `tool` event holds for the findings after it. Throws ReportError when the report as a whole cannot be used; whoever
 * applies events must wait for the end, because a report may prove broken only there. `open` may be called three times.
 */
export async function* readReport(format: string, open: OpenReport): AsyncGenerator<ReportEvent> {
  if (format !== 'auto' && !isReportFormat(format)) throw unknownFormat('The format of the report is not known.');
  const openText = () => toUtf8(open());
  const chosen = chooseFormat(format, await readHead(openText));
  yield* readers[chosen](openText);
}

function chooseFormat(format: string, head: Uint8Array): ReportFormatId {
  const first = new TextDecoder().decode(head).trimStart()[0];
  if (first === undefined) throw emptyReport();
  const shown = recogniseFormat(head);
  if (format === 'auto') {
    if (shown) return shown;
    throw unknownFormat('The report shows none of the known formats.');
  }
  if (!isReportFormat(format)) throw unknownFormat('The format of the report is not known.');
  if (!reportFormats[format].begins.includes(first) || (shown && shown !== format)) {
    const looks = shown ? `it looks like ${reportFormats[shown].label}` : 'it begins differently';
    throw unknownFormat(`The report is not ${reportFormats[format].label}: ${looks}.`);
  }
  return format;
}

async function readHead(open: OpenReport): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of open()) {
    const start = size > 0 ? 0 : chunk.findIndex((byte) => byte > 0x20);
    if (start === -1) continue;
    chunks.push(Uint8Array.from(chunk.subarray(start)));
    size += chunk.length - start;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
}
