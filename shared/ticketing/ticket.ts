import * as z from 'zod';
import { Id, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { byTenDays, dayOf } from '#shared/reports/report/time-measures.ts';
import { issueTemplate, TICKET_SUBJECTS } from './ticket-rule.ts';

/** `pending`: its issue is about to be created. The others are the category of the issue's status. */
export const TICKET_STATUSES = ['pending', 'open', 'in_progress', 'done', 'missing'] as const;
type TicketStatus = (typeof TICKET_STATUSES)[number];

/** `gone`: the subject was deleted, or no vulnerability is left that the upgrade would close. */
const SUBJECT_STATUSES = [
  ...(['open', 'in_progress', 'fixed', 'false_positive', 'risk_accepted', 'out_of_scope', 'gone'] as const),
] as const;
export type SubjectStatus = (typeof SUBJECT_STATUSES)[number];

/** Statuses of tickets whose issue is not done. */
export const LEFT: readonly TicketStatus[] = ['pending', 'open', 'in_progress'];

export const TicketSubject = z.object({ type: z.enum(TICKET_SUBJECTS), id: Id });

/** An issue of Jira about a finding, a vulnerability or a fix. */
export const Ticket = objectNamed('Ticket', {
  ...recordFields,
  connectionId: readOnly(Id),
  ruleId: readOnly(Id.nullable().meta({ description: 'the rule that opened it; null: a person did' })),
  subject: readOnly(TicketSubject),
  title: readOnly(z.string()),
  severity: readOnly(Severity.meta({ description: 'the severity of the subject when the ticket was opened' })),
  status: readOnly(
    z.enum(TICKET_STATUSES).meta({
      description: '`missing`: Jira no longer has the issue, or the token may not see it',
    }),
  ),
  issueKey: readOnly(z.string().nullable().meta({ example: 'SEC-12' })),
  issueStatus: readOnly(z.string().nullable().meta({ description: 'its name in Jira' })),
  url: readOnly(z.string().nullable()),
  assignee: readOnly(z.string().nullable().meta({ description: 'the name of the person in Jira' })),
  subjectStatus: readOnly(z.enum(SUBJECT_STATUSES).meta({ description: 'the last value that was sent to Jira' })),
  awaitsProof: readOnly(
    z.boolean().meta({ description: 'the issue is done, and no scan has proven yet that the problem is gone' }),
  ),
  retestId: readOnly(
    Id.nullable()
      .default(null)
      .meta({ description: 'the engagement that was requested when the issue became done; it waits for a decision' }),
  ),
  project: readOnly(issueTemplate.project),
  issueType: readOnly(z.string()),
  resolvedAt: readOnly(Timestamp.nullable().meta({ description: 'when its issue became done' })),
  syncedAt: readOnly(Timestamp.nullable().meta({ description: 'when it was last compared with Jira' })),
  error: readOnly(
    z
      .object({ code: z.string(), message: z.string(), at: Timestamp })
      .nullable()
      .meta({ description: 'why the ticket could not be synchronized' }),
  ),
  taskId: readOnly(Id.nullable().meta({ description: 'the task that synchronizes the ticket, or last did' })),
});
export type Ticket = z.infer<typeof Ticket>;

export const StoredTicket = z.object({
  ...Ticket.shape,
  /** Absent: none was requested, or of an earlier release. */
  retestId: Id.nullable().optional(),
  /** By which the subject has one ticket, however often it is found again. */
  key: z.string(),
  issueId: z.string().nullable(),
  /** When Jira was last asked to create the issue: it may have done so without an answer. */
  attemptedAt: Timestamp.nullable(),
  /** In the words of Jira: an issue that did not change since needs no look. */
  issueUpdatedAt: z.string().nullable(),
  /** The number of the subject's changes that were reported to Jira. */
  toldCount: z.int(),
  template: z.object({
    labels: issueTemplate.labels,
    priorities: issueTemplate.priorities,
    fields: issueTemplate.fields,
  }),
});
export type StoredTicket = z.infer<typeof StoredTicket>;

function days({ createdAt, resolvedAt }: StoredTicket) {
  const { add, tallies } = byTenDays('day');
  add(createdAt, { o: 1 });
  if (resolvedAt) add(resolvedAt, { f: 1 });
  return tallies();
}

/** `errors`: tickets that could not be brought up to date. `day`: `o` opened and `f` resolved. */
export const tickets = defineEntity(StoredTicket, {
  name: 'ticket',
  together: true,
  dimensions: { status: TICKET_STATUSES },
  facets: ({ status, severity, error }) => ({
    [`status:${status}`]: 1,
    ...(LEFT.includes(status) && { [`open:${severity}`]: 1 }),
    ...(error && { errors: 1 }),
  }),
  tallies: days,
  search: ({ issueKey, title }) => [issueKey, title],
  indexed: ({ connectionId, ruleId, subject, project, severity, error }) => ({
    connection: connectionId,
    rule: ruleId,
    subject: subject.id,
    project,
    severity,
    failing: error && 'true',
  }),
  ordered: ({ createdAt, resolvedAt }) => ({ created: dayOf(createdAt), resolved: resolvedAt && dayOf(resolvedAt) }),
  unique: ({ key, connectionId, issueId }) => ({ key, issue: issueId && `${connectionId}#${issueId}` }),
  feedFields: ['subject', 'title', 'status', 'issueKey', 'issueStatus', 'assignee', 'error'],
});
