import { expect, test } from 'vitest';
import { counted, NOTHING_YET, refusing } from '#shared/findings/bulk/decision.ts';
import { conflict, Overtaken } from '#shared/platform/runtime/errors.ts';

const throwing = (error: Error) => () => {
  throw error;
};

test('a finding that refuses a change is reported with the reason, and counted', () => {
  const told = refusing('f', throwing(conflict('It is fixed.')));
  expect(told).toEqual({ outcome: 'refused', refused: { id: 'f', code: 'conflict', message: 'It is fixed.' } });
  expect(counted(NOTHING_YET, [told, { outcome: 'changed' }, { outcome: 'unchanged', kind: 'moved' }])).toEqual({
    changed: 1,
    unchanged: 1,
    refusedCount: 1,
    kinds: { moved: 1 },
    refused: [{ id: 'f', code: 'conflict', message: 'It is fixed.' }],
  });
});

test('a fault of the service is no refusal of the finding, and what another writer overtook is done again', () => {
  expect(() => refusing('f', throwing(new TypeError('a bug')))).toThrow('a bug');
  expect(() => refusing('f', throwing(new Overtaken()))).toThrow(Overtaken);
});

test('the first fifty refusals are listed, and all are counted', () => {
  const refused = Array.from({ length: 60 }, (_, n) => refusing(`f${n}`, throwing(conflict('no'))));
  const tally = counted(NOTHING_YET, refused);
  expect(tally.refused.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, n) => `f${n}`));
  expect(tally.refusedCount).toBe(60);
});
