import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priorityOf } from '#shared/findings/priority.ts';
import { Severity } from '#shared/reports/report.ts';

const known = (cell = ''): number | undefined => (cell === '-' ? undefined : Number(cell));

test('the examples of docs/priority.md have the priority that the page gives them', () => {
  const page = readFileSync('docs/priority.md', 'utf8');
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const examples = rows.filter(([, , severity]) => Severity.safeParse(severity).success);
  expect(examples.length).toBeGreaterThan(5);
  for (const [, finding, severity, cvss, epss, kev, priority] of examples) {
    const danger = {
      severity: Severity.parse(severity),
      cvssScore: known(cvss),
      epss: known(epss),
      kev: kev === 'yes',
    };
    expect([finding, priorityOf(danger)]).toEqual([finding, Number(priority)]);
  }
});

test('more danger never lowers the priority, and it stays within 0 and 100', () => {
  const score = fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10);
  const chance = fc.integer({ min: 0, max: 10_000 }).map((part) => part / 10_000);
  fc.assert(
    fc.property(
      fc.constantFrom(...Severity.options),
      score,
      chance,
      fc.boolean(),
      chance,
      (severity, cvssScore, epss, kev, more) => {
        const priority = priorityOf({ severity, cvssScore, epss, kev });
        expect(priority).toBeGreaterThanOrEqual(0);
        expect(priority).toBeLessThanOrEqual(100);
        expect(priorityOf({ severity, cvssScore, epss: Math.min(1, epss + more), kev })).toBeGreaterThanOrEqual(
          priority,
        );
        expect(priorityOf({ severity, cvssScore, epss, kev: true })).toBeGreaterThanOrEqual(priority);
      },
    ),
  );
});
