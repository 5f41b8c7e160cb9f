import { ReportError, type ReportFormatId, reportFormatIds } from './report.ts';

/**
 * How a format of tool reports is known. A new one needs an id in report.ts, an entry here, and its reader in read.ts,
 * which only the worker loads: the areas that take reports carry no parser.
 */
type ReportFormat = {
  label: string;
  /** The characters one of which the report begins with, white space apart. */
  begins: string;
  /** Whether the beginning of a report (16 KB of text) is surely of this format. */
  recognise: (head: string) => boolean;
};

export const reportFormats = {
  sarif: {
    label: 'SARIF 2.1.0',
    begins: '{',
    recognise: (head) =>
      head.startsWith('{') && (/"\$schema"\s*:\s*"[^"]*sarif/i.test(head) || /^\{[^{}[\]]*"runs"\s*:\s*\[/.test(head)),
  },
  nmap: {
    label: 'Nmap XML (-oX)',
    begins: '<',
    recognise: (head) => head.startsWith('<') && /<nmaprun[\s>]/.test(head),
  },
  nuclei: {
    label: 'Nuclei JSON lines (-jsonl) or JSON (-json-export)',
    begins: '{[',
    recognise: (head) => /^[[{][\s\S]{0,4000}"template-?id"\s*:/i.test(head),
  },
  apex: {
    label: 'findings of an Apex appliance (JSON)',
    begins: '[',
    recognise: (head) => /^\[\s*\{[\s\S]{0,4000}"externalId"\s*:/.test(head),
  },
} as const satisfies Record<ReportFormatId, ReportFormat>;

export function isReportFormat(id: string): id is ReportFormatId {
  return Object.hasOwn(reportFormats, id);
}

/** Bytes of a report's beginning that recognising needs at most. */
export const HEAD_BYTES = 16 * 1024;

/** The format that a report's first bytes show, or undefined. */
export function recogniseFormat(head: Uint8Array): ReportFormatId | undefined {
  const text = new TextDecoder().decode(head).trimStart();
  return reportFormatIds.find((id) => reportFormats[id].recognise(text));
}

export function unknownFormat(message: string): ReportError {
  const known = reportFormatIds.map((id) => `${id} (${reportFormats[id].label})`).join(', ');
  return new ReportError('unsupported_format', `${message} Known formats: ${known}, or auto to recognise one of them.`);
}

export const emptyReport = (): ReportError =>
  new ReportError(
    'empty_report',
    'The report is empty. If the tool found nothing, let it say so: SARIF and Nmap do by themselves, for Nuclei send [] or use -json-export.',
  );
