import { afterEach, expect, test } from 'vitest';
import { tellEvent } from '#shared/platform/auth/events.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { injectFaults } from '../../../support/faults.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
afterEach(() => setClock());

test('a function remembers its reports of a minute for 10,000 callers, and starts again with one more', async () => {
  const { organizationId } = newOrganization(store.dynamo);
  const dynamo = store.connect();
  let told = 0;
  injectFaults(dynamo, {
    random: () => 1,
    before: () => {
      told += 1;
      throw new Overtaken(); // it was announced, for all that the function knows
    },
  });
  setClock(() => Date.parse('2026-03-01T12:00:00.000Z'));
  const isTold = async (caller: number): Promise<boolean> => {
    const before = told;
    const author = { kind: 'api_key', id: `caller ${caller}`, name: 'CI' } as const;
    await tellEvent(dynamo, { organizationId, author }, { kind: 'signed_in' });
    return told > before;
  };
  expect([await isTold(0), await isTold(1), await isTold(0), await isTold(1)]).toEqual([true, true, false, false]);
  for (let caller = 2; caller < 10_000; caller++) await isTold(caller);
  expect([told, await isTold(0), await isTold(9_999)]).toEqual([10_000, false, false]);
  expect([await isTold(10_000), await isTold(10_000), await isTold(0)]).toEqual([true, false, true]);
});
