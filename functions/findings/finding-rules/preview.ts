import { previewMany } from '#shared/findings/bulk/preview.ts';
import { decideByRules } from '#shared/findings/suppression/decide.ts';
import { inOrder, readAssetTags, readRules, ruleSelection } from '#shared/findings/suppression/stored.ts';
import type { SuppressionRule } from '#shared/findings/suppression/suppression-rule.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Draft, Table } from '#shared/platform/table/table.ts';

/** Counts the findings that a new rule would suppress in addition to the current rules. */
export async function previewRule(table: Table, draft: Omit<Draft<SuppressionRule>, 'taskId'>) {
  const id = newId();
  const rule = table.stamp<SuppressionRule>({ ...draft, id, taskId: id });
  const rules = inOrder([...(await readRules(table)), rule]);
  let tags = new Map<string, readonly string[]>();
  return previewMany(
    table,
    { selection: ruleSelection(rule.conditions) },
    {
      whole: true,
      everywhere: true,
      async prepare(found) {
        tags = await readAssetTags(table, rules, found);
      },
      decide(finding) {
        const assetTags = tags.get(finding.asset.id) ?? [];
        const changes = decideByRules(rules, finding, { at: now(), assetTags });
        return changes?.suppressedBy?.id === id ? { changes } : undefined;
      },
    },
  );
}
