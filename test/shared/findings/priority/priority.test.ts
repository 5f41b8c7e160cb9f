import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { factorsOf, priorityOf } from '#shared/findings/priority/priority.ts';
import { decisionOf, ssvcOf } from '#shared/findings/priority/ssvc.ts';
import { ratingOf, stakesOf } from '#shared/findings/sla/rating.ts';
import { Severity } from '#shared/reports/report/report.ts';

const rows = readFileSync('docs/priority.md', 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));

const known = (cell = ''): number | undefined => (cell === '-' ? undefined : Number(cell));

test('the examples of docs/priority.md have the priority that the page gives them', () => {
  const examples = rows.filter(([, , severity]) => Severity.safeParse(severity).success);
  expect(examples.length).toBeGreaterThan(10);
  for (const [, finding, severity, cvss, epss, kev, exposed, criticality, overdue, priority] of examples) {
    const danger = {
      severity: Severity.parse(severity),
      cvssScore: known(cvss),
      epss: known(epss),
      kev: kev === 'yes',
      stakes: stakesOf({
        criticality: CRITICALITIES.find((one) => one === criticality) ?? 'medium',
        internetExposed: exposed === 'yes',
      }),
      late: overdue === 'yes',
    };
    expect([finding, priorityOf(danger)]).toEqual([finding, Number(priority)]);
  }
});

const dangers = fc.record({
  severity: fc.constantFrom(...Severity.options),
  cvssScore: fc.option(
    fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
    { nil: undefined },
  ),
  epss: fc.integer({ min: 0, max: 10_000 }).map((part) => part / 10_000),
  kev: fc.boolean(),
  late: fc.boolean(),
  stakes: fc
    .record({ criticality: fc.constantFrom(...CRITICALITIES), internetExposed: fc.boolean() })
    .map((asset) => stakesOf(asset)),
});

test('more danger never lowers the priority, it stays within 0 and 100, and its factors add up to it', () => {
  fc.assert(
    fc.property(dangers, fc.double({ min: 0, max: 1, noNaN: true }), (danger, more) => {
      const priority = priorityOf(danger);
      expect(priority).toBeGreaterThanOrEqual(0);
      expect(priority).toBeLessThanOrEqual(100);
      const worse = [
        { epss: Math.min(1, danger.epss + more) },
        { kev: true },
        { late: true },
        { stakes: { ...danger.stakes, exposed: true as const } },
        { stakes: { ...danger.stakes, criticality: 'critical' as const } },
      ];
      for (const change of worse) expect(priorityOf({ ...danger, ...change })).toBeGreaterThanOrEqual(priority);
      const factors = factorsOf(danger);
      expect(Math.round(factors.reduce((sum, { points }) => sum + points, 0))).toBe(priority);
      expect(factors.every(({ points, most }) => points >= 0 && points <= most)).toBe(true);
    }),
  );
});

test('the points that a factor can have at most add up to 100', () => {
  expect(factorsOf({ severity: 'low' }).reduce((sum, { most }) => sum + most, 0)).toBe(100);
});

test('each severity has the points of its usual score, or of the nearest that fits it where another one is known', () => {
  const shown = (severity: Severity, cvssScore?: number) => {
    const [{ value, points } = expect.fail()] = factorsOf({ severity, cvssScore });
    return [value, points];
  };
  const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
  expect(severities.map((one) => shown(one))).toEqual([
    ['critical, 9.5', 42.8],
    ['high, 8.0', 36],
    ['medium, 5.5', 24.8],
    ['low, 2.0', 9],
    ['info, 0.0', 0],
  ]);
  expect(severities.map((one) => [shown(one, 0)[0], shown(one, 11)[0]])).toEqual([
    ['critical, 9.0', 'critical, 10.0'],
    ['high, 7.0', 'high, 8.9'],
    ['medium, 4.0', 'medium, 6.9'],
    ['low, 0.1', 'low, 3.9'],
    ['info, 0.0', 'info, 0.0'],
  ]);
  expect(shown('high', 7.3)).toEqual(['high, 7.3', 32.9]);
});

test('the other factors say what is known, and have the points of it', () => {
  const shown = (danger: Partial<Parameters<typeof factorsOf>[0]>) =>
    factorsOf({ severity: 'low', ...danger })
      .slice(1)
      .map(({ value, points }) => `${value}: ${points}`);
  expect(shown({})).toEqual(['no score: 0', 'not listed: 0', 'none known: 0', 'medium: 3', 'in time: 0']);
  const all = { epss: 0.234, kev: true, stakes: { exposed: true, criticality: 'high' }, late: true } as const;
  expect(shown(all)).toEqual(['0.234: 2.3', 'exploited: 25', 'internet: 8', 'high: 5', 'overdue: 5']);
  expect(shown({ epss: 0 })[0]).toBe('0: 0');
  const points = CRITICALITIES.map((criticality) => [
    criticality,
    shown({ stakes: stakesOf({ criticality, internetExposed: false }) })[3],
  ]);
  expect(Object.fromEntries(points)).toEqual({
    critical: 'critical: 7',
    high: 'high: 5',
    medium: 'medium: 3',
    low: 'low: 0',
  });
  const told = { exposed: true, criticality: 'critical' } as const;
  expect(shown({ severity: 'info', stakes: told, late: true }).slice(2)).toEqual([
    ...['internet: 0', 'critical: 0', 'overdue: 0'],
  ]);
  expect(shown({ severity: 'info', kev: true, stakes: told, late: true }).slice(2)).toEqual([
    ...['internet: 8', 'critical: 7', 'overdue: 5'],
  ]);
});

test('the advice on a factor appears only where it has points that people can lower', () => {
  const told = factorsOf({ severity: 'high', epss: 0.5, kev: true, stakes: { exposed: true, criticality: 'low' } });
  expect(told.filter(({ lowerBy }) => lowerBy !== null).map(({ name }) => name)).toEqual(['severity', 'exposure']);
  const [least] = factorsOf({ severity: 'low', cvssScore: 0.1 });
  expect(least).toMatchObject({ points: 0.5, lowerBy: expect.stringContaining('lower severity') });
});

test('a finding is overdue when its due day is over, and no longer once it is closed', () => {
  const finding = { severity: 'high', status: 'open', dueAt: '2026-01-10T09:00:00.000Z' } as const;
  expect(ratingOf(finding, '2026-01-10T23:59:59.999Z')).toEqual({ late: undefined, dueSoon: true, priority: 39 });
  expect(ratingOf(finding, '2026-01-11T00:00:00.000Z')).toEqual({ late: true, priority: 44 });
  expect(ratingOf({ ...finding, status: 'fixed' }, '2026-01-11T00:00:00.000Z')).toMatchObject({ late: undefined });
});

test("the decisions are those of CISA's table, as docs/priority.md has it", () => {
  const table = rows.filter(([, , , impact]) => impact === 'partial' || impact === 'total');
  expect(table).toHaveLength(12);
  for (const [, exploitation, automatable, technicalImpact, ...decisions] of table)
    expect(
      (['low', 'medium', 'high'] as const).map((missionAndWellBeing) =>
        decisionOf({
          exploitation: exploitation as 'none',
          automatable: automatable === 'yes',
          technicalImpact: technicalImpact as 'total',
          missionAndWellBeing,
        }),
      ),
    ).toEqual(decisions.slice(0, 3));
});

test.each([
  ['a worm of version 3.1', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', [true, 'total']],
  ['one of version 2', 'AV:N/AC:L/Au:N/C:C/I:C/A:C', [true, 'total']],
  ['one of version 4.0', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', [true, 'total']],
  [
    'one of 4.0 with requirements',
    'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:H/SC:N/SI:N/SA:N',
    [false, 'partial'],
  ],
  ['one that needs a user', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:L/A:N', [false, 'partial']],
  ['one without a vector', undefined, [false, 'partial']],
] as const)('automatable and technical impact of %s follow from its vector', (_name, cvssVector, [auto, impact]) => {
  expect(ssvcOf({ severity: 'high', cvssVector })).toMatchObject({ automatable: auto, technicalImpact: impact });
});

test.each([
  ['unknown', {}, 'none'],
  ['expected of one in ten', { epss: 0.1 }, 'poc'],
  ['expected of fewer', { epss: 0.0999 }, 'none'],
  ['known', { kev: true }, 'active'],
  ['known, whatever its chance', { kev: true, epss: 0.9 }, 'active'],
] as const)('a decision on a vulnerability whose exploitation is %s takes it as that', (_name, known, exploitation) => {
  expect(ssvcOf({ severity: 'high', ...known })).toMatchObject({ exploitation });
});

test('the harm to the mission is that of the asset, and a critical finding without a vector gives all of it away', () => {
  const answersOf = (severity: 'high' | 'critical', criticality?: 'low' | 'high' | 'critical') =>
    ssvcOf({ severity, stakes: criticality && { criticality } });
  expect(
    [undefined, 'low', 'high', 'critical'].map((one) => answersOf('high', one as 'low').missionAndWellBeing),
  ).toEqual(['medium', 'low', 'high', 'high']);
  expect(answersOf('critical')).toMatchObject({ technicalImpact: 'total', automatable: false });
  expect(answersOf('high')).toMatchObject({ technicalImpact: 'partial' });
});
