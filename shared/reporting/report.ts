import { hash } from 'node:crypto';
import * as z from 'zod';
import { Person } from '#shared/credentials/person.ts';
import { FilterInput } from '#shared/platform/filter/schema.ts';
import { Id, objectNamed, readOnly, recordFields, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { defineEntity, type Part } from '#shared/platform/table/entity.ts';

export const REPORT_KINDS = [
  'executive',
  'technical',
  'application',
  'team',
  'engagement',
  'compliance',
  'accepted_risks',
  'remediation_plan',
  'sbom_vex',
  'audit_log',
] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** Kinds whose facts are of assets, vulnerabilities or entries of the log: a filter of findings chooses nothing there. */
export const UNFILTERED: readonly ReportKind[] = ['compliance', 'sbom_vex', 'audit_log'];

const LANGUAGES = ['en', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

export const CLASSIFICATIONS = ['public', 'internal', 'confidential', 'strictly_confidential'] as const;

/** The settings of a report and of a template. */
export const reportSettings = {
  kind: z.enum(REPORT_KINDS).meta({ example: 'executive' }),
  title: trimmedText(200).nullable().default(null).meta({ description: 'null: the name of the kind in the language' }),
  language: z.enum(LANGUAGES).default('en').meta({ description: 'of the texts of the report, not of the records' }),
  classification: z.enum(CLASSIFICATIONS).nullable().default(null).meta({
    description: 'printed on each page; null: that of the looks (`/reports/brand`), if they have one',
  }),
  periodDays: z.int().min(1).max(366).default(30).meta({
    description: 'the report compares the present with so many days before, and counts what happened since',
  }),
  filter: FilterInput.nullable().default(null).meta({
    description: 'only findings that fit (docs/filters.md); `me` is the maker of the report',
  }),
  filterId: Id.nullable().default(null).meta({
    description:
      'a saved filter of findings in place of `filter`: a report keeps what the filter is when it is made, as `filter`',
    example: null,
  }),
  applicationId: Id.nullable().default(null).meta({ description: 'of the kind `application`, which needs it' }),
  teamId: Id.nullable().default(null).meta({ description: 'of the kind `team`, which needs it' }),
  engagementId: Id.nullable().default(null).meta({ description: 'of the kind `engagement`, which needs it' }),
  framework: trimmedText(80)
    .nullable()
    .default(null)
    .meta({ description: 'of the kind `compliance`: the id of a framework; null: all' }),
};

export const ReportSettings = z.object(reportSettings);
export type ReportSettings = z.infer<typeof ReportSettings>;

const REPORT_STATUSES = ['queued', 'made', 'failed'] as const;

const ReportTable = z.object({
  id: z.string().meta({ description: '`table` of the operation that answers the file', example: 'applications' }),
  title: z.string(),
  rows: z.int().nonnegative(),
});

/** A letter to a person who the schedule names. */
const ReportDelivery = z.object({
  user: Person,
  taskId: Id.meta({ description: 'the task that sends the letter; `GET /api/v1/tasks/{id}` has its state' }),
});

/** The figures of a report that the next one of the same settings compares itself with. */
export const Headline = objectNamed('ReportHeadline', {
  score: z.int().min(0).max(100),
  open: z.int().nonnegative(),
  criticalAndHigh: z.int().nonnegative(),
  exploited: z.int().nonnegative(),
  overdue: z.int().nonnegative(),
  accepted: z.int().nonnegative(),
});
export type Headline = z.infer<typeof Headline>;

/** A report that is made once, and never changes. */
export const Report = objectNamed('Report', {
  ...recordFields,
  ...reportSettings,
  status: readOnly(z.enum(REPORT_STATUSES)),
  error: readOnly(z.object({ code: z.string(), message: z.string() }).nullable()),
  taskId: readOnly(Id).meta({ description: 'the task that makes the report', readOnly: true }),
  asOf: readOnly(Timestamp.nullable()).meta({ description: 'the time of the facts', readOnly: true }),
  factsHash: readOnly(z.string().nullable()).meta({
    description: 'SHA-256 of the facts without their time: two reports of the same facts have the same',
    readOnly: true,
  }),
  headline: readOnly(Headline.nullable()),
  tables: readOnly(z.array(ReportTable)),
  deliveries: readOnly(z.array(ReportDelivery)).meta({
    description:
      'the letters with the link to the report; endpoints of webhooks that take `report.*` have it in their own deliveries',
    readOnly: true,
  }),
  endpointIds: readOnly(z.array(Id)).meta({
    description: 'the webhook endpoints that its schedule names: they get `report.ready` whatever their types are',
    readOnly: true,
  }),
  templateId: readOnly(Id.nullable()),
  scheduleId: readOnly(Id.nullable()),
});
export type Report = z.infer<typeof Report>;

/** `sight`: the part of the organization of which the report is; `series`: what it is about. */
export const StoredReport = z.object({ ...Report.shape, sight: z.string(), series: z.string() });
export type StoredReport = z.infer<typeof StoredReport>;

export const reports = defineEntity(StoredReport, {
  name: 'report',
  // handlers add the sight of the caller (`sightOf`), because no value of a record says that a part is the same
  inPart: 'whole',
  dimensions: { status: REPORT_STATUSES },
  feedFields: ['kind', 'title', 'status', 'asOf', 'factsHash', 'headline', 'scheduleId', 'endpointIds'],
  search: ({ title, kind }) => [title, kind],
  indexed: ({ kind, sight, series, scheduleId }) => ({ kind, sight, series, schedule: scheduleId }),
});

const digest = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64url').slice(0, 27);

/**
 * The sight of the maker of a report: everything, or a part. Two callers have the same only if they are one person with one part, as for
 * tasks (`isOfPart`).
 */
export const sightOf = (part: Part | undefined): string => (part ? digest(part) : EVERYTHING_SEEN);
const EVERYTHING_SEEN = 'everything';

/** The same for reports that may be compared: of the same kind, about the same. */
export const seriesOf = ({ kind, filter, filterId, ...about }: ReportSettings): string =>
  digest([kind, filterId ?? filter, about.applicationId, about.teamId, about.engagementId, about.framework]);

const REPORTS_PREFIX = 'reports/';

/** The objects of a report in the bucket have this beginning. */
export const reportFolder = (organizationId: string, id: string): string => `${REPORTS_PREFIX}${organizationId}/${id}/`;
