import type * as z from 'zod';
import { objectNamed, recordFields, trimmedText } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { reportSettings } from './report.ts';

/** The settings of reports under a name: people and schedules make reports of it. */
export const ReportTemplate = objectNamed('ReportTemplate', {
  ...recordFields,
  name: trimmedText(120).meta({ example: 'Monthly report to the board' }),
  ...reportSettings,
});
export type ReportTemplate = z.infer<typeof ReportTemplate>;

export const MAX_TEMPLATES = 200;

export const reportTemplates = defineEntity(ReportTemplate, {
  name: 'report-template',
  feedFields: ['name', 'kind'],
  search: ({ name, title }) => [name, title],
  unique: ({ name }) => ({ name: name.toLowerCase() }),
});
