import * as z from 'zod';
import { Id, objectNamed, readOnly, recordFields, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { Schedule } from '#shared/scanning/schedule/engagement-schedule.ts';

const { timeZone } = Schedule.shape;

const Recipients = z.object({
  userIds: z.array(Id).max(20).default([]).meta({ example: [] }),
  teamIds: z.array(Id).max(20).default([]).meta({ example: [] }),
  roleIds: z
    .array(z.string().min(1).max(120))
    .max(20)
    .default([])
    .meta({ example: ['owner'] }),
  endpointIds: z.array(Id).max(5).default([]).meta({
    description: 'webhook endpoints: each gets `report.ready` of the reports, whatever its types are',
    example: [],
  }),
});

/** The last time that a schedule was due. */
const LastRun = z.object({
  at: Timestamp,
  reportId: Id.nullable().meta({ description: 'null: nothing had changed since the former report' }),
});

/** When reports of a template are made, and who gets a letter with the link. */
export const ReportSchedule = objectNamed('ReportSchedule', {
  ...recordFields,
  name: trimmedText(120).meta({ example: 'Board, on the first of each month' }),
  templateId: Id.meta({ description: 'a report template' }),
  startAt: Timestamp.meta({ description: 'the first time', example: '2026-12-01T07:00:00Z' }),
  recurrence: trimmedText(300)
    .nullable()
    .default(null)
    .meta({ description: 'RRULE of RFC 5545 as of engagements; null: once', example: 'FREQ=MONTHLY;BYMONTHDAY=1' }),
  timeZone,
  recipients: Recipients.default(Recipients.parse({})).meta({
    description:
      'get a letter with the link, at most 20 people in all. Whoever opens it needs a role that reads the report. The webhook ' +
      'endpoints get an event; those that take `report.*` get it without being named',
  }),
  onlyIfChanged: z.boolean().default(false).meta({
    description: 'true: a report whose facts equal those of the former one is not kept and not sent',
  }),
  enabled: z.boolean().default(true),
  nextAt: readOnly(Timestamp.nullable()),
  lastRun: readOnly(LastRun.nullable()),
});
export type ReportSchedule = z.infer<typeof ReportSchedule>;

export const MAX_SCHEDULES = 100;

export const reportSchedules = defineEntity(ReportSchedule, {
  name: 'report-schedule',
  feedFields: ['name', 'templateId', 'recurrence', 'timeZone', 'onlyIfChanged', 'enabled'],
  search: ({ name }) => [name],
  indexed: ({ templateId }) => ({ template: templateId }),
  unique: ({ name }) => ({ name: name.toLowerCase() }),
});
