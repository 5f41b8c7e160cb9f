import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { riskScore } from '#shared/assets/asset/risk.ts';
import { Severity } from '#shared/reports/report/report.ts';

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

test('the table of docs/priority.md shows what the formula gives', () => {
  const [, table = ''] = readFileSync('docs/priority.md', 'utf8').split('# Risk of an asset');
  const rows = [...table.matchAll(/^\| ([^|]+) \| (low|medium|high|critical) \| (yes|no) \| (\d+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(5);
  for (const [row, open = '', criticality = '', exposed, score] of rows) {
    const counts = Object.fromEntries(
      [...open.matchAll(/(\d+) (\w+)/g)].map(([, n, severity]) => [severity, Number(n)]),
    );
    const asset = { criticality: criticality as 'low', internetExposed: exposed === 'yes' };
    expect([row, riskScore({ ...none, ...counts }, asset)]).toEqual([row, Number(score)]);
  }
});

test('nothing that makes an asset worse lowers its score, which stays within 0 and 100', () => {
  const counts = fc.record(Object.fromEntries(Severity.options.map((severity) => [severity, fc.nat(500)])));
  const one = fc.constantFrom(...Severity.options);
  fc.assert(
    fc.property(counts, one, fc.nat(3), fc.boolean(), (some, severity, level, internetExposed) => {
      const open = { ...none, ...some };
      const at = (n: number) => CRITICALITIES[n] ?? 'critical';
      const score = riskScore(open, { criticality: at(level), internetExposed });
      const worse = [
        riskScore({ ...open, [severity]: open[severity] + 1 }, { criticality: at(level), internetExposed }),
        riskScore(open, { criticality: at(level + 1), internetExposed }),
        riskScore(open, { criticality: at(level), internetExposed: true }),
      ];
      return score >= 0 && worse.every((other) => other >= score && other <= 100);
    }),
  );
});
