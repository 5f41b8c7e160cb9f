import { describe, expect, test } from 'vitest';
import {
  acquiredBy,
  readScope,
  releasedBy,
  type ScopeRow,
  scopeRows,
  scopeWrite,
} from '#shared/findings/view/scan-scope.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

const scope = (fields: Partial<ScopeRow> = {}): ScopeRow => ({ id: 's', revision: 3, waiting: [], ...fields });

describe('one report of a scope is applied at a time, in the order in which they came', () => {
  test('the first one holds it at once', () => {
    expect(acquiredBy(scope(), 'a', false)).toEqual(scope({ holder: 'a', waiting: [] }));
  });

  test('others wait, each once', () => {
    const held = scope({ holder: 'a' });
    expect(acquiredBy(held, 'a', false)).toBeUndefined();
    expect(acquiredBy(held, 'a', true)).toBeUndefined();
    const waiting = acquiredBy(held, 'b', false);
    expect(waiting).toEqual(scope({ holder: 'a', waiting: ['b'] }));
    expect(acquiredBy(waiting ?? held, 'b', false)).toBeUndefined();
  });

  test('a holder that is gone makes room for the task that waited longest, whichever task asks', () => {
    const held = scope({ holder: 'a', waiting: ['b'] });
    expect(acquiredBy(held, 'c', true)).toEqual(scope({ holder: 'b', waiting: ['c'] }));
    expect(acquiredBy(held, 'b', true)).toEqual(scope({ holder: 'b', waiting: [] }));
  });

  test('only the holder hands it on', () => {
    const held = scope({ holder: 'a', waiting: ['b', 'c'] });
    expect(releasedBy(held, 'a')).toEqual(scope({ holder: 'b', waiting: ['c'] }));
    expect(releasedBy(held, 'b')).toBe(held);
    expect(releasedBy(scope({ holder: 'a' }), 'a')).toEqual(scope({ holder: undefined, waiting: [] }));
  });

  test('of two simultaneous changes of a scan scope one fails', async () => {
    const table = newOrganization(store.dynamo);
    const change = async (current: ScopeRow, next: Partial<ScopeRow>) => {
      const batch = table.batch();
      batch.write(scopeWrite(table, current, { ...current, ...next }));
      await batch.commit();
    };
    const absent = await readScope(table, 's');
    expect(absent).toEqual({ id: 's', revision: 0, waiting: [] });
    await change(absent, { holder: 'a' });
    await expect(change(absent, { holder: 'b' })).rejects.toBeInstanceOf(Overtaken);
    const first = await readScope(table, 's');
    expect(first).toMatchObject({ holder: 'a', revision: 1 });
    await change(first, { waiting: ['b'] });
    await expect(change(first, { holder: 'c' })).rejects.toBeInstanceOf(Overtaken);
    expect(await table.rows(scopeRows).find({ id: 's' }, true)).toMatchObject({
      holder: 'a',
      waiting: ['b'],
      revision: 2,
    });
  });
});
