import { expect, test } from 'vitest';
import { bySeverity, type Listed, noCounts, tallyOf, together } from '#shared/findings/gate/comparison.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();
const one = (id: string, fields: Partial<Listed> & { status?: 'open' | 'in_progress' | 'fixed' } = {}) => {
  const { isNew = true, ...more } = fields;
  const finding = { id, severity: 'high', priority: 10, firstSeenAt: day(0), status: 'open', ...more } as const;
  return { finding, isNew };
};
const idsOf = (listed: readonly Listed[], isNew: boolean) =>
  listed.filter((some) => some.isNew === isNew).map(({ id }) => id);

test('an import counts its open findings, new ones apart, and none that somebody decided on', () => {
  const tally = tallyOf([
    one('a'),
    one('b', { status: 'in_progress', severity: 'low' }),
    one('c', { isNew: false }),
    one('d', { status: 'fixed' }),
  ]);
  expect(tally).toMatchObject({
    new: { ...noCounts(), high: 1, low: 1 },
    existing: { ...noCounts(), high: 1 },
  });
  expect([idsOf(tally.listed, true), idsOf(tally.listed, false)]).toEqual([['a', 'b'], ['c']]);
});

test('new findings are listed by priority and others by age, 200 of each severity', () => {
  const many = Array.from({ length: 201 }, (_, n) => [
    one(`new ${n}`, { priority: n % 100 === 0 ? n : 1 }),
    one(`old ${n}`, { isNew: false, firstSeenAt: day(300 - n) }),
    one(`low ${n}`, { severity: 'low' }),
  ]).flat();
  const tally = tallyOf(many);
  expect([tally.new.high, tally.existing.high, tally.new.low]).toEqual([201, 201, 201]);
  const fresh = tally.listed.filter(({ severity, isNew }) => isNew && severity === 'high');
  expect(fresh.slice(0, 3).map(({ id }) => id)).toEqual(['new 200', 'new 100', 'new 1']);
  const old = idsOf(tally.listed, false);
  expect([old.length, old[0], old.at(-1)]).toEqual([200, 'old 200', 'old 1']);
  expect(tally.listed).toHaveLength(600);
});

test('the parts of an import count together, and list the first of all', () => {
  const [first, second] = [
    tallyOf([one('a', { priority: 3 }), one('b', { isNew: false, firstSeenAt: day(2) })]),
    tallyOf([one('c', { priority: 5 }), one('d', { isNew: false, firstSeenAt: day(1), severity: 'high' })]),
  ];
  const tally = together([first, second]);
  expect([tally.new.high, tally.existing.high, tally.new.low]).toEqual([2, 2, 0]);
  expect([idsOf(tally.listed, true), idsOf(tally.listed, false)]).toEqual([
    ['c', 'a'],
    ['d', 'b'],
  ]);
});

test('findings are counted by severity', () => {
  expect(bySeverity([{ severity: 'high' }, { severity: 'high' }, { severity: 'info' }])).toEqual({
    ...noCounts(),
    high: 2,
    info: 1,
  });
});
