import { accountName } from '#shared/assets/identity/identity.ts';
import { sharedFields } from '#shared/findings/finding/shared-filter-fields.ts';
import { EXAMPLE_ID, type Fields, previewedField, WORDS } from '#shared/platform/filter/fields.ts';
import { ALERT_SOURCES } from './alert.ts';
import { ALERT_STATUSES } from './soc-status.ts';

/** The fields of filters of alerts. */
export const alertFilterFields: Fields = {
  status: { kind: 'choice', mark: 'status', values: ALERT_STATUSES, about: 'the status', example: 'new,acknowledged' },
  severity: sharedFields.severity,
  source: { kind: 'choice', mark: 'source', values: ALERT_SOURCES, about: 'the kind of its source', example: 'siem' },
  rule: { kind: 'value', mark: 'rule', about: 'the id of the rule that made it', example: 'brute-force' },
  technique: {
    kind: 'value',
    mark: 'technique',
    spelled: (text) => text.toUpperCase(),
    about: 'an ATT&CK technique; T1059 finds its sub-techniques too',
    example: 'T1059',
  },
  'asset.id': { kind: 'value', mark: 'asset', about: 'the id of an asset of the alert', example: EXAMPLE_ID },
  user: { kind: 'value', mark: 'user', spelled: accountName, about: 'an account of the alert', example: 'alice' },
  assignee: sharedFields.assignee,
  team: sharedFields.team,
  incident: { kind: 'value', mark: 'incident', absent: true, about: 'the id of its incident', example: EXAMPLE_ID },
  created: { kind: 'day', order: 'created', about: 'the day on which it was created', example: '7d' },
  text: WORDS,
  preview: previewedField('status', ALERT_STATUSES),
};
