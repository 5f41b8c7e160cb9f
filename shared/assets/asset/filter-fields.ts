import { EXAMPLE_ID, type Fields, type Filtered, previewedField, WORDS } from '#shared/platform/filter/fields.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';
import { CRITICALITIES } from './asset.ts';

/** The fields of filters of assets. */
const fields: Fields = {
  type: { kind: 'choice', mark: 'type', values: AssetType.options, about: 'the type', example: 'host,repository' },
  criticality: {
    kind: 'choice',
    mark: 'criticality',
    values: CRITICALITIES,
    about: 'the criticality',
    example: 'critical',
  },
  zone: { kind: 'value', mark: 'zone', absent: true, about: 'the zone', example: 'dmz' },
  internetExposed: {
    kind: 'choice',
    mark: 'exposed',
    values: ['true', 'false', 'unknown'],
    absent: 'unknown',
    about: 'reachable from the internet',
    example: 'true',
  },
  owner: { kind: 'person', mark: 'owner', absent: true, about: 'the owner: an id, me or none', example: 'me' },
  tag: { kind: 'value', mark: 'tag', about: 'a tag of a person or a rule', example: 'payments' },
  application: { kind: 'value', mark: 'application', about: 'the id of an application', example: EXAMPLE_ID },
  cloudAccount: { kind: 'value', mark: 'account', about: 'the cloud account', example: '123456789012' },
  retired: { kind: 'flag', mark: 'retired', yes: 'true', about: 'retired', example: 'false' },
  lastSeen: {
    kind: 'day',
    order: 'seen',
    about: 'the day on which it was seen last; retired assets have none',
    example: '30d',
  },
  text: WORDS,
  preview: previewedField('type', AssetType.options),
};

export const assetFilter: Filtered = { entity: 'asset', fields };
