import { TASK_TYPES } from '#shared/assets/targets/scan-target.ts';
import { EXAMPLE_ID, type Fields, type Filtered, WORDS } from '#shared/platform/filter/fields.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { SCANNER_TASK_STATUSES } from './scanner-task.ts';

/** The fields of filters of scanner tasks. */
const fields: Fields = {
  status: {
    kind: 'choice',
    mark: 'status',
    values: SCANNER_TASK_STATUSES,
    rest: 'running',
    about: 'the status',
    example: 'pending,failed',
  },
  type: { kind: 'choice', mark: 'type', values: TASK_TYPES, about: 'the type of scan', example: 'network,web' },
  zone: {
    kind: 'value',
    mark: 'zone',
    spelled: caseless,
    absent: true,
    about: 'the zone of its target',
    example: 'dmz',
  },
  engagement: { kind: 'value', mark: 'engagement', about: 'the id of its engagement', example: EXAMPLE_ID },
  scannerGroup: {
    kind: 'value',
    mark: 'group',
    absent: true,
    about: 'the id of its scanner group or shared pool',
    example: EXAMPLE_ID,
  },
  created: { kind: 'day', order: 'created', about: 'the day on which it was created', example: '7d' },
  text: { ...WORDS, about: 'words of its target, type and zone', example: 'shop' },
};

export const scannerTaskFilter: Filtered = { entity: 'scanner-task', fields: () => fields };
