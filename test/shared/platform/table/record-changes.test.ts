import { describe, expect, test } from 'vitest';
import { changeOf, entryIn, entryWrite } from '#shared/platform/table/changes.ts';
import type { Row } from '#shared/platform/table/layout/keys.ts';

const entity = { name: 'ticket', feedFields: ['title', 'status'] };
const ticket = (more: object = {}) => ({ id: '1', version: 3, updatedAt: 'then', title: 'pump', ...more });

describe('the feed reports a record', () => {
  test('that is new, with only its fields', () => {
    expect(changeOf(entity, { after: ticket({ status: null, secret: 'x' }) })).toEqual({
      kind: 'created',
      entity: 'ticket',
      id: '1',
      version: 3,
      fields: { title: { from: undefined, to: 'pump' } },
      masked: [],
    });
  });

  test('that changed, with the changed fields; other fields only by their names', () => {
    const before = ticket({ status: 'open', secret: 'x', same: { a: [1] } });
    const after = ticket({ version: 4, updatedAt: 'now', status: null, secret: 'y', same: { a: [1] }, more: 1 });
    expect(changeOf(entity, { before, after })).toEqual({
      kind: 'updated',
      entity: 'ticket',
      id: '1',
      version: 4,
      fields: { status: { from: 'open', to: null } },
      masked: ['secret', 'more'],
    });
  });

  test('that was deleted, with its last fields, as the version after its last', () => {
    expect(changeOf(entity, { before: ticket() })).toEqual({
      kind: 'deleted',
      entity: 'ticket',
      id: '1',
      version: 4,
      fields: { title: { from: 'pump', to: undefined } },
      masked: [],
    });
  });

  test('not at all where nobody asks for it', () => {
    expect(changeOf({ name: 'ticket', feedFields: undefined }, { after: ticket() })).toBeUndefined();
    expect(changeOf(entity, {})).toBeUndefined();
  });

  test.each<[string, unknown, boolean]>([
    ['a text of 300 characters with its quotation marks', 'x'.repeat(298), true],
    ['a longer text', 'x'.repeat(299), false],
    ['a text that is longer in JSON', '\u0001'.repeat(50), false],
    ['a text of the length that is short however it is written', '\u0001'.repeat(49), true],
    ['a list of 300 characters', ['x'.repeat(296)], true],
    ['a longer list', ['x'.repeat(297)], false],
    ['a number', 12, true],
  ])('by the name alone where the value is long, before or after: %s', (_, value, isTold) => {
    const judged = [
      changeOf(entity, { before: ticket({ status: 'open' }), after: ticket({ status: value }) }),
      changeOf(entity, { before: ticket({ status: value }), after: ticket({ status: 'open' }) }),
      changeOf(entity, { after: ticket({ status: value }) }),
    ];
    for (const change of judged) {
      expect(Object.keys(change?.fields ?? {}).includes('status')).toBe(isTold);
      expect(change?.masked).toEqual(isTold ? [] : ['status']);
    }
  });
});

test('an entry names who did it and through what; the service itself where nothing is known', () => {
  const entryOf = (author: Parameters<typeof entryWrite>[1]) => {
    const write = entryWrite('org', author, { changes: [] });
    return 'put' in write ? entryIn(write.put as Row) : expect.fail();
  };
  const by = { kind: 'user', id: 'ann', name: 'Ann' } as const;
  expect(entryOf(by)).toMatchObject({ by, cause: { operation: 'service' }, changes: [] });
  expect(entryOf({ ...by, cause: { operation: 'getTask' } })).toMatchObject({ by, cause: { operation: 'getTask' } });
});
