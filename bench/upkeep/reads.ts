import { findings } from '#shared/findings/finding/finding.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Meter } from '../meter.ts';
import { budgetAt, COMBINED, LIST, type Pages, RARE, worstPage } from '../pages.ts';
import type { BenchRow } from '../report.ts';

/** More than half of the findings have these values, and all findings have the searched words. */
const DENSE = { status: 'open', severity: ['critical', 'high', 'medium'] };

const asked: Pages[] = [
  { name: 'list of 25', budget: LIST },
  {
    name: 'two dimensions and two values',
    budget: COMBINED,
    where: { status: 'open', severity: ['high', 'critical'], tool: 'tool-1', tag: 'team-1' },
  },
  { name: 'a word and two filters', budget: COMBINED, search: 'injection', where: { severity: 'high', tag: 'team-1' } },
  { name: 'three words', budget: COMBINED, search: 'injection module component' },
  {
    name: 'two dense filters and two dense words',
    budget: COMBINED,
    search: 'possible module',
    where: DENSE,
    known: true,
  },
  { name: 'a rule that 1 in 2,000 has', budget: RARE, where: { ruleId: 'javascript.security.audit.injection-7' } },
];

/** The cost of the usual questions to so many findings. */
export async function readsOf(table: Table, meter: Meter, size: number): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const one of asked)
    rows.push(
      await worstPage(
        { table, meter, size: String(size), entity: findings },
        { ...one, budget: budgetAt(size, one.budget) },
      ),
    );
  return rows;
}
