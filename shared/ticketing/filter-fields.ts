import { EXAMPLE_ID, type Fields, type Filtered, WORDS } from '#shared/platform/filter/fields.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { TICKET_STATUSES } from './ticket.ts';

/** The fields of filters of tickets. */
const fields: Fields = {
  status: { kind: 'choice', mark: 'status', values: TICKET_STATUSES, about: 'the status', example: 'open,in_progress' },
  project: {
    kind: 'value',
    mark: 'project',
    spelled: (text) => text.toUpperCase(),
    about: 'the project in Jira',
    example: 'SEC',
  },
  connection: { kind: 'value', mark: 'connection', about: 'the id of its connection', example: EXAMPLE_ID },
  rule: { kind: 'value', mark: 'rule', about: 'the id of the rule that opened it', example: EXAMPLE_ID },
  subject: {
    kind: 'value',
    mark: 'subject',
    about: 'the id of its finding, vulnerability or fix',
    example: EXAMPLE_ID,
  },
  severity: {
    kind: 'choice',
    mark: 'severity',
    values: Severity.options,
    about: 'the severity at its opening',
    example: 'critical',
  },
  created: { kind: 'day', order: 'created', about: 'the day on which it was opened', example: '7d' },
  resolved: { kind: 'day', order: 'resolved', about: 'the day on which its issue became done', example: '7d' },
  failing: { kind: 'flag', mark: 'failing', yes: 'true', about: 'it could not be synchronized', example: 'true' },
  text: { ...WORDS, example: 'SEC-12' },
};

export const ticketFilter: Filtered = { entity: 'ticket', fields: () => fields };
