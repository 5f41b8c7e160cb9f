import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CRITICALITIES } from '#shared/entities/asset.ts';
import { factorsOf, priorityOf } from '#shared/findings/priority.ts';
import { ratingOf, stakesOf } from '#shared/findings/rating.ts';
import { decisionOf, ssvcOf } from '#shared/findings/ssvc.ts';
import { Severity } from '#shared/reports/report.ts';

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

test('people are told how to lower a factor only where it has points that they can move', () => {
  const told = factorsOf({ severity: 'high', epss: 0.5, kev: true, stakes: { exposed: true, criticality: 'low' } });
  expect(told.filter(({ lowerBy }) => lowerBy !== null).map(({ name }) => name)).toEqual(['severity', 'exposure']);
});

test('a finding is overdue when its due day is over, and no longer once it is closed', () => {
  const finding = { severity: 'high', status: 'open', dueAt: '2026-01-10T09:00:00.000Z' } as const;
  expect(ratingOf(finding, '2026-01-10T23:59:59.999Z')).toEqual({ late: undefined, priority: 39 });
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
