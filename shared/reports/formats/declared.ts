import type { ReportFormat } from '../readers/format.ts';
import * as list from './list.ts';

export type ReportFormatId = (typeof list)[keyof typeof list]['id'];
export type KnownFormat = ReportFormat<ReportFormatId>;

/** Loaded with the first report: `formats.ts` imports this file when it needs it. */
export const reportFormats: readonly KnownFormat[] = Object.values(list);
