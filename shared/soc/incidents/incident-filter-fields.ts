import { sharedFields } from '#shared/findings/finding/shared-filter-fields.ts';
import { type Fields, previewedField, WORDS } from '#shared/platform/filter/fields.ts';
import { INCIDENT_STATUSES } from '../alerts/soc-status.ts';

/** The fields of filters of incidents. */
export const incidentFilterFields: Fields = {
  status: { kind: 'choice', mark: 'status', values: INCIDENT_STATUSES, about: 'the status', example: 'open' },
  severity: sharedFields.severity,
  assignee: {
    kind: 'person',
    mark: 'assigneeId',
    absent: true,
    about: 'who leads it: an id, me or none',
    example: 'me',
  },
  team: sharedFields.team,
  member: { kind: 'person', mark: 'member', about: 'who works on it: an id or me', example: 'me' },
  detected: { kind: 'day', order: 'detected', about: 'the day on which it was detected', example: '30d' },
  text: WORDS,
  preview: previewedField('status', INCIDENT_STATUSES),
};
