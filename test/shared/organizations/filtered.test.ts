import { expect, test } from 'vitest';
import { collections } from '#shared/organizations/filtered.ts';

/** Fields of names in which letter case counts (docs/filters.md), besides ids. */
const EXACT = ['rule', 'branch', 'system', 'check'];

test('people find each value in any letter case, except ids and the names in which it counts', async () => {
  const exact: string[] = [];
  for (const [entity, { fields }] of Object.entries(collections))
    for (const [name, field] of Object.entries(await fields())) {
      if (field.kind !== 'value' || /^01900000-/.test(field.example) || EXACT.includes(name)) continue;
      const { spelled = (text: string) => text, example } = field;
      if (spelled(example.toUpperCase()) !== spelled(example.toLowerCase())) exact.push(`${entity} ${name}`);
    }
  expect(exact).toEqual([]);
});
