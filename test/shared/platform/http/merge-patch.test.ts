import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createBody, live, mergePatch, patchBody, recordFields } from '#shared/platform/http/records.ts';

const Thing = z.object({
  ...recordFields,
  name: z.string().min(1),
  zone: z.string().nullable(),
  tags: z.array(z.string()).default([]),
  plan: z.object({ at: z.string().nullable().default(null), rule: z.string().nullable().default(null) }),
  parameters: z.partialRecord(z.enum(['web', 'tls']), z.record(z.string(), z.unknown())).default({}),
  retest: z
    .object({ of: z.string(), parts: z.array(z.string()).default([]) })
    .nullable()
    .default(null),
});
const current: z.infer<typeof Thing> = {
  id: '01900000-0000-7000-8000-000000000001',
  version: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  createdBy: { kind: 'system', id: 'system', name: 'system' },
  name: 'north',
  zone: 'dmz',
  tags: ['a'],
  plan: { at: '03:00', rule: 'FREQ=DAILY' },
  parameters: { web: { depth: 3, login: true }, tls: { port: 443 } },
  retest: null,
};
const merge = (patch: object, ifMatch?: string) => mergePatch(Thing, current, { patch, ifMatch });

describe('a merge patch', () => {
  test.each<[string, object, object | undefined]>([
    ['changes what it names', { name: 'south' }, { name: 'south' }],
    ['clears by null', { zone: null }, { zone: null }],
    ['clears to the default', { tags: null }, { tags: [] }],
    ['replaces a list whole', { tags: ['b'] }, { tags: ['b'] }],
    ['changes of an object what it names', { plan: { at: '04:00' } }, { plan: { at: '04:00', rule: 'FREQ=DAILY' } }],
    ['clears by null within an object', { plan: { rule: null } }, { plan: { at: '03:00', rule: null } }],
    ['changes nothing by what an object has already', { plan: { at: '03:00' }, parameters: {} }, undefined],
    [
      'goes as deep as objects go',
      { parameters: { web: { depth: 5, login: null }, tls: null } },
      { parameters: { web: { depth: 5 } } },
    ],
    ['makes an object that was not there', { retest: { of: 'x' } }, { retest: { of: 'x', parts: [] } }],
    ['changes nothing when empty', {}, undefined],
    ['takes back what was read', current, undefined],
    ['takes back what was read, edited', { ...current, name: 'south' }, { name: 'south' }],
  ])('%s', (_name, patch, changes) => {
    expect(merge(patch)).toEqual(changes);
  });

  test.each<[string, object, string]>([
    ['a field of the server', { id: '01900000-0000-7000-8000-000000000002' }, 'read_only'],
    ['clearing what is required', { name: null }, 'validation_failed'],
    ['an object that lacks what it must have', { retest: { parts: [] } }, 'validation_failed'],
    ['an older version', { version: 2, name: 'south' }, 'conflict'],
    ['a version that is no number', { version: '3', name: 'south' }, 'validation_failed'],
    ['a version that is cleared', { version: null, name: 'south' }, 'validation_failed'],
  ])('refuses %s', (_name, patch, code) => {
    expect(() => merge(patch)).toThrow(expect.objectContaining({ code }));
  });

  test.each(['3', '"3"', 'W/"3"', ' "3" ', '*'])('is made from the version of If-Match: %s', (ifMatch) => {
    expect(merge({ name: 'south' }, ifMatch)).toEqual({ name: 'south' });
  });

  test.each([
    ['"2"', 'conflict'],
    ['banana', 'validation_failed'],
    ['', 'validation_failed'],
  ])('with If-Match: %s is refused as %s', (ifMatch, code) => {
    expect(() => merge({ name: 'south' }, ifMatch)).toThrow(expect.objectContaining({ code }));
  });

  test('of another version is answered with the present record', () => {
    expect(() => merge({ version: 2 })).toThrow(expect.objectContaining({ current: current }));
  });
});

describe('the body of a patch', () => {
  const body = patchBody(Thing);

  test('names the changed fields of an object, and null for cleared ones', () => {
    const patch = { plan: { rule: null }, parameters: { web: null, tls: { port: null } } };
    expect(body.parse(patch)).toEqual(patch);
  });

  test('is refused with an unknown field of an object', () => {
    expect(body.safeParse({ plan: { rul: 'FREQ=DAILY' } }).success).toBe(false);
  });
});

const Counted = Thing.extend({ tasks: live(z.object({ pending: z.int() })) });

test('a record that is sent back as it was read is not refused because its live fields moved meanwhile', () => {
  const patch = { name: 'south', tasks: { pending: 7 } };
  expect(mergePatch(Counted, { ...current, tasks: { pending: 9 } }, { patch })).toEqual({ name: 'south' });
});

test('a caller who creates a record sends what may be set, and nothing that the server sets', () => {
  const body = createBody(Counted);
  const sent: z.input<typeof body> = { name: 'north', zone: null, plan: {} };
  expect(body.safeParse(sent).success).toBe(true);
  // @ts-expect-error the server counts
  const counted: z.input<typeof body> = { ...sent, tasks: { pending: 1 } };
  expect(body.safeParse(counted).success).toBe(false);
});

test('a patch cannot clear a field that an object within the record does not have', () => {
  const record = z.object({ ...recordFields, rules: z.strictObject({ notes: z.string().nullable() }) });
  const takes = (rules: object) => patchBody(record).safeParse({ rules }).success;
  expect([takes({ notes: null }), takes({ nonsense: null })]).toEqual([true, false]);
});
