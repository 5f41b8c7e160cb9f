import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { check, checkWhole } from '#shared/platform/http/validate.ts';

const Target = z.strictObject({ type: z.enum(['host', 'url']), value: z.string(), port: z.int().optional() });
const Body = z.strictObject({ name: z.string(), target: z.union([Target, z.string()]).optional() });

describe('the error of a request names the wrong fields', () => {
  test.each<[string, object, string, string]>([
    ['missing', {}, 'name', 'is required'],
    ['null', { name: null }, 'name', 'must be a text, not null'],
    ['unknown', { name: 'x', nmae: 'y' }, 'nmae', 'unknown field; it takes name, target'],
    [
      'unknown inside another',
      { name: 'x', target: { type: 'url', value: 'x', prot: 1 } },
      'target.prot',
      'unknown field; it takes type, value, port',
    ],
    ['missing inside one of two forms', { name: 'x', target: { type: 'host' } }, 'target.value', 'is required'],
    ['missing, of a few', { name: 'x', target: { value: 'x' } }, 'target.type', 'is required: one of host, url'],
    [
      'wrong inside one of two forms',
      { name: 'x', target: { type: 'hots', value: 'x' } },
      'target.type',
      'must be one of host, url',
    ],
    [
      'of neither form',
      { name: 'x', target: 5 },
      'target',
      'must be an object, not a number; or must be a text, not a number',
    ],
  ])('%s', (_name, body, path, message) => {
    expect(() => check(Body, body, 'body')).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        message: `${path}: ${message}`,
        details: [{ path, message }],
      }),
    );
  });

  test('unknown in the form that another field names', () => {
    const Change = z.discriminatedUnion('of', [
      z.strictObject({ of: z.literal('rule'), body: z.strictObject({ status: z.string().optional() }) }),
      z.strictObject({ of: z.literal('tag'), body: z.strictObject({ tags: z.string().optional() }) }),
    ]);
    const wrong = { of: 'tag', body: { tag: 'x' } };
    expect(() => check(Change, wrong, 'body')).toThrow('body.tag: unknown field; it takes tags');
  });

  test('all wrong fields at once', () => {
    const several = { name: 1, target: { type: 'host', value: 2 }, x: 3 };
    expect(() => check(Body, several, 'body')).toThrow(
      expect.objectContaining({
        details: ['name', 'target.value', 'x'].map((path) => expect.objectContaining({ path })),
      }),
    );
  });
});

test('an unknown parameter of a query is answered with the known ones', () => {
  const query = z.strictObject({ status: z.string().optional(), severity: z.string().optional() });
  expect(() => check(query, { severities: 'high' }, 'query')).toThrow(
    expect.objectContaining({
      details: [{ path: 'severities', message: 'unknown parameter; it takes status, severity' }],
    }),
  );
});

test('an unknown field of a nested object is refused, not ignored', () => {
  const Plan = z.object({ at: z.string().nullable().default(null) });
  const Whole = z.object({
    plan: Plan.default(Plan.parse({})),
    windows: z.array(z.object({ from: z.string() })).default([]),
    parameters: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  });
  const wrong = { plan: { att: 'x' }, windows: [{ from: '1' }, { from: '2', until: '3', to: '3' }] };
  expect(() => checkWhole(Whole, wrong)).toThrow(
    expect.objectContaining({
      details: [
        { path: 'plan.att', message: 'unknown field; it takes at' },
        { path: 'windows.1.until', message: 'unknown field; it takes from' },
        { path: 'windows.1.to', message: 'unknown field' },
      ],
    }),
  );
  const right = { plan: { at: 'x' }, windows: [{ from: '1' }], parameters: { web: { anything: { goes: 1 } } } };
  expect(checkWhole(Whole, right)).toEqual(right);
});

test.each<[z.ZodType, unknown, string]>([
  [z.string().max(3), 'long', 'must have at most 3 characters'],
  [z.string().min(1), '', 'must not be empty'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
  [z.int().min(5), 4, 'must be at least 5'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.number().multipleOf(0.5), 0.3, 'must be a multiple of 0.5'],
  [z.boolean(), [], 'must be true or false, not a list'],
  [z.literal('a'), 'b', 'must be a'],
  [z.email(), 'x', 'must be an e-mail address'],
  [z.iso.date(), '2026-02-30', 'must be a day such as 2026-01-31'],
  [z.string().regex(/^a$/), 'b', 'must match /^a$/'],
  [z.string().max(3, 'is a name'), 'long', 'is a name'],
  [
    z.discriminatedUnion('of', [z.object({ of: z.literal('a') }), z.object({ of: z.literal('b') })]),
    { of: 'c' },
    'must be one of a, b',
  ],
])('in a sentence: %#', (schema, value, message) => {
  expect(() => check(z.object({ field: schema }), { field: value }, 'body')).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ message })] }),
  );
});
