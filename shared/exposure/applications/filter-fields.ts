import { ratedFields } from '#shared/assets/asset/rated-filter-fields.ts';
import { type Fields, type Filtered, WORDS } from '#shared/platform/filter/fields.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';

/** The fields of filters of applications. */
const fields: Fields = {
  ...ratedFields,
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
  text: { ...WORDS, example: 'shop' },
};

export const applicationFilter: Filtered = { entity: 'application', fields: () => fields };
