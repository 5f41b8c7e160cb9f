import { EXAMPLE_ID, type Fields, type Filtered, WORDS } from '#shared/platform/filter/fields.ts';
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
  failing: { kind: 'flag', mark: 'failing', yes: 'true', about: 'it could not be synchronized', example: 'true' },
  text: { ...WORDS, example: 'SEC-12' },
};

export const ticketFilter: Filtered = { entity: 'ticket', fields: () => fields };
