import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { check, checkWhole } from '#shared/platform/http/validate.ts';

const Target = z.strictObject({ type: z.enum(['host', 'url']), value: z.string(), port: z.int().optional() });
const Body = z.strictObject({ name: z.string(), target: z.union([Target, z.string()]).optional() });

describe('the error of a request names the wrong fields', () => {
  test.each<[string, object, string, string]>([
    ['missing', {}, 'name', 'is required'],
    ['null', { name: null }, 'name', 'Invalid input: expected string, received null'],
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
      'Invalid option: expected one of "host"|"url"',
    ],
    [
      'of neither form',
      { name: 'x', target: 5 },
      'target',
      'Invalid input: expected object, received number; or Invalid input: expected string, received number',
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
