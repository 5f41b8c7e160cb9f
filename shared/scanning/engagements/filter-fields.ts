import { EXAMPLE_ID, type Fields, type Filtered, WORDS } from '#shared/platform/filter/fields.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { ENGAGEMENT_KINDS, ENGAGEMENT_STATUSES } from './engagement.ts';

/** The fields of filters of engagements. */
const fields: Fields = {
  status: { kind: 'choice', mark: 'status', values: ENGAGEMENT_STATUSES, about: 'the status', example: 'requested' },
  kind: { kind: 'choice', mark: 'kind', values: ENGAGEMENT_KINDS, about: 'the kind', example: 'web_scan' },
  lead: { kind: 'person', mark: 'lead', absent: true, about: 'who leads it: an id, me or none', example: 'me' },
  tag: { kind: 'value', mark: 'tag', spelled: caseless, about: 'a tag', example: 'pci' },
  scannerGroup: { kind: 'value', mark: 'group', about: 'the id of its scanner group', example: EXAMPLE_ID },
  due: { kind: 'day', order: 'due', ahead: true, about: 'the day on which it is due', example: '7d' },
  text: { ...WORDS, example: 'shop' },
};

export const engagementFilter: Filtered = { entity: 'engagement', fields: () => fields };
