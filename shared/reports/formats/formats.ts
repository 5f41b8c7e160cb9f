import type { ReportFormat } from '../readers/format.ts';
import { FORMAT_CHOICE } from '../readers/format-ids.ts';
import { ReportError } from '../report/report.ts';
import type { KnownFormat } from './declared.ts';

/** Few requests bring a report, so the formats are not loaded at a function's start. */
const known = () => import('./declared.ts');

/** @throws unsupported_format */
export async function formatOf(id: string): Promise<KnownFormat> {
  const format = (await known()).reportFormats.find((one) => one.id === id);
  if (!format) throw unsupported(`The format ${id} is not known. Known formats: ${FORMAT_CHOICE}.`);
  return format;
}

/**
 * The format of a report: the named format, if the report does not look like another, or for `auto` the only format
 * that recognizes the report.
 * @throws unsupported_format, empty_report
 */
export async function chooseFormat(named: string, head: string): Promise<KnownFormat> {
  const wanted = named === 'auto' ? undefined : await formatOf(named);
  if (head === '') throw emptyReport(wanted);
  const possible = (await known()).reportFormats.filter(({ begins }) => begins.includes(head.charAt(0)));
  const shown = possible.filter(({ recognise }) => recognise(head));
  if (!wanted) return onlyOne(shown);
  const isOther = shown.length > 0 && !shown.includes(wanted) && !wanted.alsoReads?.(head);
  if (!isOther && wanted.begins.includes(head.charAt(0))) return wanted;
  const looks = isOther ? `it looks like ${shown.map(({ label }) => label).join(' or ')}` : 'it begins differently';
  throw unsupported(`The report is not ${wanted.label}: ${looks}. ${LET_IT_RECOGNISE}`);
}

/** The formats whose report may be a list; an empty list shows none of them. */
export const formatsOfLists = async (): Promise<readonly KnownFormat[]> =>
  (await known()).reportFormats.filter(({ begins }) => begins.includes('['));

function onlyOne([format, ...others]: readonly KnownFormat[]): KnownFormat {
  if (!format) throw unsupported(`The report is of none of the known formats. ${NONE_FITS}`);
  if (others.length === 0) return format;
  const ids = [format, ...others].map(({ id }) => id).join(' or ');
  throw unsupported(`The report may be ${ids}: name its format.`);
}

const LET_IT_RECOGNISE = 'Send the format that the report has, or auto to recognise it.';
const NONE_FITS =
  'Send the file as the tool wrote it, in a format of docs/report-formats.md. For another tool write the generic report of docs/generic-report.md.';

const unsupported = (problem: string): ReportError => new ReportError('unsupported_format', problem);

export const emptyReport = (format?: ReportFormat): ReportError =>
  new ReportError(
    'empty_report',
    `The report is empty. If the tool found nothing, send the report that says so${format?.whenNothingFound ? `: ${format.whenNothingFound}` : ''}.`,
  );
