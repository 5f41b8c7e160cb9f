import { CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { behindFields } from '#shared/assets/asset/behind.ts';
import type { Field, Fields } from '#shared/platform/filter/fields.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';

/** The fields of the asset behind a record that lists answer too, from the marks of `behindMarks`. */
const listed: Fields = {
  'asset.tag': {
    kind: 'value',
    mark: 'assetTag',
    some: 'assetHas',
    spelled: caseless,
    about: 'a tag of its asset, of a person or a rule',
    example: 'payments',
  },
  'asset.owner': {
    kind: 'person',
    mark: 'assetOwner',
    some: 'assetHas',
    about: 'the owner of its asset: an id, me or none',
    example: 'me',
  },
  'asset.criticality': {
    kind: 'choice',
    mark: 'criticality',
    values: CRITICALITIES,
    rest: 'medium',
    about: 'the criticality of its asset',
    example: 'critical,high',
  },
  'asset.exposed': {
    kind: 'flag',
    mark: 'exposed',
    yes: 'true',
    about: 'its asset is reachable from the internet',
    example: 'true',
  },
};

/** The fields of records on assets with those of the asset. Rules read the asset itself where they can. */
export const withBehind = (own: Fields): Fields => ({
  ...own,
  ...behindFields,
  ...Object.fromEntries(Object.entries(listed).map(([name, field]) => [name, readToo(name, field)])),
  ...own,
});

function readToo(name: string, field: Field): Field {
  const read = behindFields[name]?.read;
  return read ? { ...field, read, late: true } : field;
}
