import * as z from 'zod';
import { FilterIdField, markedFilter, RuleFilterField } from '#shared/platform/filter/rule-filter.ts';
import { ConditionObject } from '#shared/platform/filter/schema.ts';
import { JsonFields } from '#shared/platform/http/json-fields.ts';
import { Id, objectNamed, readOnly, recordFields } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { Severity } from '#shared/reports/report/report.ts';

/** The subjects of tickets. A fix is the upgrade of a component that closes vulnerabilities on any number of assets. */
export const TICKET_SUBJECTS = ['finding', 'vulnerability', 'fix'] as const;
export type TicketSubjectType = (typeof TICKET_SUBJECTS)[number];

const text = (most: number) => z.string().trim().min(1).max(most).optional();

/** An open finding or vulnerability must meet all of these. */
export const TicketConditions = z.strictObject({
  severities: z
    .array(Severity)
    .min(1)
    .optional()
    .meta({ example: ['critical'] }),
  minPriority: z.int().min(0).max(100).optional().meta({ description: 'docs/priority.md' }),
  minEpss: z.number().min(0).max(1).optional().meta({ description: 'chance of exploitation (FIRST EPSS)' }),
  kev: z.literal(true).optional().meta({ description: 'known to be exploited (CISA KEV)' }),
  tool: text(120),
  ruleId: text(300),
  advisory: text(60).meta({ description: 'a CVE, or another id or alias of the vulnerability' }),
  tag: text(120).meta({ description: 'a tag of the finding or vulnerability' }),
  applicationId: Id.optional(),
  asset: ConditionObject.optional().meta({ description: 'a condition on its asset, as in rules for tags' }),
});
export type TicketConditions = z.infer<typeof TicketConditions>;

/** The place where an issue is created, and its values there. */
export const issueTemplate = {
  project: z
    .string()
    .trim()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,49}$/, 'must be the key of a project, such as SEC')
    .overwrite((key) => key.toUpperCase())
    .meta({ example: 'SEC' }),
  issueType: z.string().trim().min(1).max(60).default('Task').meta({ description: 'its name', example: 'Task' }),
  labels: z
    .array(z.string().regex(/^\S{1,255}$/, 'must be a word without spaces'))
    .max(20)
    .default([]),
  priorities: z.partialRecord(Severity, z.string().min(1).max(60)).default({}).meta({
    description: 'the name of the priority in Jira for each severity; other severities get the default of the project',
  }),
  fields: JsonFields.default({}).meta({
    description:
      'further fields of the issue by their id, as the REST API of Jira takes them. In texts `{{title}}`, `{{severity}}`, `{{priority}}`, ' +
      '`{{status}}`, `{{asset}}`, `{{advisories}}`, `{{dueAt}}` and `{{link}}` are replaced by values of the subject',
    example: { customfield_10010: '{{asset}}' },
  }),
};
const Template = z.object(issueTemplate);
export type IssueTemplate = z.infer<typeof Template>;

/** A rule by which tickets are opened. */
export const TicketRule = objectNamed('TicketRule', {
  ...recordFields,
  name: z.string().trim().min(1).max(120).meta({ example: 'Critical and exploited' }),
  enabled: z.boolean().default(true),
  order: z.int().min(0).max(10_000).default(100).meta({
    description: 'if a subject meets several rules, the lowest order opens the ticket, then the oldest rule',
  }),
  opensFor: z.enum(TICKET_SUBJECTS).meta({
    description:
      'one ticket per finding, per vulnerability (advisory, component and asset), or per upgrade that closes them',
    example: 'vulnerability',
  }),
  conditions: TicketConditions.default({}).meta({
    description: 'at least one, unless there is a `filter`',
    example: { severities: ['critical'], kev: true },
  }),
  filter: RuleFilterField,
  filterId: FilterIdField,
  connectionId: Id.nullable()
    .default(null)
    .meta({ description: 'null: the oldest connection of the organization', example: null }),
  ...issueTemplate,
  includesStanding: z.boolean().default(false).meta({
    description: 'a task also opens tickets for current open records; request a preview first',
  }),
  taskId: readOnly(Id.nullable().meta({ description: 'the task that opened tickets for current open records' })),
});
export type TicketRule = z.infer<typeof TicketRule>;

export const ticketRules = defineEntity<TicketRule>(TicketRule, {
  name: 'ticket-rule',
  indexed: markedFilter,
  facets: ({ enabled }) => ({ enabled: Number(enabled) }),
  feedFields: [
    'name',
    'enabled',
    'order',
    'opensFor',
    'conditions',
    'filter',
    'filterId',
    'connectionId',
    'project',
    'issueType',
    'includesStanding',
  ],
});
