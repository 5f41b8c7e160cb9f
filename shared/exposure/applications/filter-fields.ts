import { CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { type Fields, type Filtered, WORDS } from '#shared/platform/filter/fields.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';

/** The fields of filters of applications. */
const fields: Fields = {
  criticality: {
    kind: 'choice',
    mark: 'criticality',
    values: CRITICALITIES,
    about: 'the criticality',
    example: 'critical',
  },
  owner: { kind: 'person', mark: 'owner', absent: true, about: 'the owner: an id, me or none', example: 'me' },
  member: { kind: 'person', mark: 'member', about: 'who works on it: an id or me', example: 'me' },
  tag: { kind: 'value', mark: 'tag', spelled: caseless, about: 'a tag', example: 'pci' },
  dataClassification: {
    kind: 'value',
    mark: 'data',
    spelled: caseless,
    absent: true,
    about: 'the class of its data',
    example: 'confidential',
  },
  internetExposed: {
    kind: 'choice',
    mark: 'exposed',
    values: ['true', 'false', 'unknown'],
    absent: 'unknown',
    about: 'reachable from the internet',
    example: 'true',
  },
  text: { ...WORDS, example: 'shop' },
};

export const applicationFilter: Filtered = { entity: 'application', fields: () => fields };
