import { asOne, type KeptComparison } from '#shared/findings/gate/comparison.ts';
import { judge } from '#shared/findings/gate/gate.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import { givenFilters } from '#shared/platform/filter/rule-filter.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { PolicyScan } from '#shared/scanning/scanner-tasks/code-scan.ts';
import { decidedOnes } from '#shared/vulnerabilities/vulnerability/decided.ts';

/** The reports on a commit as one, with the reasons for which the policy of the repository fails them. */
export async function judgedReports(
  context: Context,
  policy: Pick<PolicyScan, 'failOn' | 'filter'>,
  kept: readonly KeptComparison[],
): Promise<KeptComparison & { reasons: string[] }> {
  const all = asOne(kept);
  const { failOn } = policy;
  if (failOn === 'none') return { ...all, reasons: [] };
  const judged = { ...all, decidedOnes: (rows: readonly FindingRow[]) => decidedOnes(context, rows) };
  const { reasons } = await judge(context.table, { failOn, newOnly: true, filters: givenFilters(policy) }, judged);
  return { ...all, reasons };
}
