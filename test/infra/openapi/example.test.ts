import { expect, test } from 'vitest';
import * as z from 'zod';
import { exampleOf } from '#infra/openapi/example.ts';

test.each([
  ['required fields', z.object({ name: z.string().min(3), size: z.int().min(5) }), { name: 'example', size: 5 }],
  ['a given example', z.object({ name: z.string().meta({ example: 'edge' }) }), { name: 'edge' }],
  ['optional fields without an example are left out', z.object({ note: z.string().optional() }), {}],
  [
    'optional fields with one',
    z.object({ note: z.string().meta({ example: 'why' }).nullable().optional() }),
    { note: 'why' },
  ],
  ['lists that need an item', z.object({ tags: z.array(z.string()).min(1) }), { tags: ['example'] }],
  ['choices', z.object({ kind: z.enum(['host', 'url']), on: z.literal(true) }), { kind: 'host', on: true }],
  ['text that is read as a number', z.preprocess(Number, z.int().max(0)), 0],
  ['alternatives', z.union([z.object({ id: z.uuid() }), z.string()]), { id: '01900000-0000-7000-8000-000000000000' }],
])('%s become an example that the service accepts', (_, schema, expected) => {
  expect(exampleOf(schema)).toEqual(expected);
});

test('a schema that no invented value fits needs its own example', () => {
  expect(() => exampleOf(z.string().regex(/^CVE-\d+$/))).toThrow('give this schema an example');
});
