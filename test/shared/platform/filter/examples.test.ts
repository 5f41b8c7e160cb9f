import { expect, test } from 'vitest';
import { collections } from '#shared/organizations/filtered.ts';
import { describeFields } from '#shared/platform/filter/describe.ts';
import { readFilter } from '#shared/platform/filter/language.ts';

test.each(Object.keys(collections) as (keyof typeof collections)[])(
  'the example of each field of %s is a filter of lists, unless only rules have the field',
  async (entity) => {
    const fields = await collections[entity].fields();
    const refused = describeFields(fields).flatMap(({ example, operators }) => {
      const read = readFilter(example, fields, { today: '2026-01-15', callerId: 'me' });
      return operators.length > 0 && 'problem' in read ? [read.problem] : [];
    });
    expect(refused).toEqual([]);
  },
);
