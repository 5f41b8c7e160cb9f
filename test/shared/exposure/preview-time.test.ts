import { afterEach, expect, test, vi } from 'vitest';
import { metBy } from '#shared/exposure/asset-rules/preview.ts';
import type { Filter } from '#shared/platform/filter/filter.ts';
import { countOf } from '#shared/platform/table/layout/bits.ts';
import { startSystem } from '../../support/system.ts';

const system = startSystem();
afterEach(() => vi.restoreAllMocks());

const ASSETS = 12;
/** The index narrows to no asset of this condition: each is read and compared. */
const condition: Filter = { field: 'hostname', operator: 'matches', value: '*-web-*' };

test('a preview stops when its time is over, says so, and counts what it examined', async () => {
  const { admin, table } = await system.newOrganization();
  for (let n = 0; n < ASSETS; n++) await admin.ok('createAsset', { body: { type: 'host', value: `a-web-${n}` } });
  const whole = await metBy(table, condition, false);
  expect([whole.examined, whole.isComplete, countOf(whole.bits)]).toEqual([ASSETS, true, ASSETS]);
  let at = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    at += 250;
    return at;
  });
  const part = await metBy(table, condition, false);
  expect(part.isComplete).toBe(false);
  expect(part.examined).toBeLessThan(5);
  expect(countOf(part.bits)).toBe(part.examined);
});
