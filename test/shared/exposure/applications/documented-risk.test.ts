import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { applicationRisk } from '#shared/exposure/applications/risk.ts';
import { Severity } from '#shared/reports/report/report.ts';

/** The examples of docs/applications.md, by which anybody can compute the score again. */
const text = readFileSync(new URL('../../../../docs/applications.md', import.meta.url), 'utf8');
const [, examples = ''] = text.split('| open findings | application |');
const rows = [...examples.matchAll(/^\| ([^|]+) \| ([a-z]+)(, exposed)? \| ([\d.| ]+) \| ([A-E]) \|$/gm)].map(
  ([, findings = '', criticality = '', exposed, numbers = '', grade = '']) => ({
    findings,
    criticality,
    internetExposed: exposed !== undefined,
    grade,
    numbers: numbers.split('|').map(Number),
  }),
);

const countIn = (findings: string, what: string): number =>
  Number(new RegExp(`(\\d+) ${what}`).exec(findings)?.[1] ?? 0);

test('the documentation has examples of a score', () => expect(rows.length).toBeGreaterThanOrEqual(5));

test.each(rows)('an application with $findings has the score that the documentation says', (row) => {
  const { findings, criticality, internetExposed, grade, numbers } = row;
  const open = Object.fromEntries(Severity.options.map((severity) => [severity, countIn(findings, severity)]));
  const given = { open: open as never, kevOpen: countIn(findings, 'in KEV'), overdue: countIn(findings, 'overdue') };
  const risk = applicationRisk(given, { criticality: criticality as 'low', internetExposed });
  const rounded = risk.factors.map(({ contribution }) => Math.round(contribution * 10) / 10);
  expect([...rounded, risk.score, risk.grade]).toEqual([...numbers, grade]);
});
