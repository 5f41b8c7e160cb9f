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
  rule: { kind: 'value', mark: 'rule', about: 'the id of its rule', example: EXAMPLE_ID },
  subject: {
    kind: 'value',
    mark: 'subject',
    about: 'the id of its subject',
    example: EXAMPLE_ID,
  },
  severity: {
    kind: 'choice',
    mark: 'severity',
    values: Severity.options,
    about: 'its first severity',
    example: 'critical',
  },
  created: { kind: 'day', order: 'created', about: 'the day of its opening', example: '7d' },
  resolved: { kind: 'day', order: 'resolved', about: 'the day of its end', example: '7d' },
  failing: { kind: 'flag', mark: 'failing', yes: 'true', about: 'it has an error', example: 'true' },
  text: { ...WORDS, example: 'SEC-12' },
};

export const ticketFilter: Filtered = { entity: 'ticket', fields: () => fields };
