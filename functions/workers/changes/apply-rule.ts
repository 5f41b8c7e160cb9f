import * as z from 'zod';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { decideByRules, isActive } from '#shared/findings/suppression/decide.ts';
import { inOrder, readAssetTags, readRules, ruleSelection } from '#shared/findings/suppression/stored.ts';
import type { SuppressionRule } from '#shared/findings/suppression/suppression-rule.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';

/** `draft`: the rule as it would be for a preview; null: without the rule. */
const Input = z.object({ ruleId: z.uuid(), draft: z.custom<SuppressionRule>().nullable().optional() });

/**
 * Updates findings after a rule was made, changed, removed or has expired: the findings that the rule holds, and those
 * that it may match. All rules decide together, because the order of rules matters.
 */
export async function applyRule(work: Work): Promise<Record<string, unknown> | undefined> {
  const { table, task } = work;
  const { ruleId, draft } = Input.parse(task.input);
  const stored = await readRules(table);
  const rules = draft === undefined ? stored : withDraft(stored, ruleId, draft);
  let tags = new Map<string, readonly string[]>();
  return changeMany(work, {
    whole: true,
    async select() {
      const parts = await Promise.all(
        selectionsOf(rules, ruleId).flatMap((selection) =>
          [findings, branchFindings].map((entity) => ordinalsOf(table, entity, selection)),
        ),
      );
      return [...new Set(parts.flat())].sort((a, b) => b - a);
    },
    async prepare(found) {
      tags = await readAssetTags(table, rules, found);
    },
    decide(finding) {
      const assetTags = tags.get(finding.asset.id) ?? [];
      const changes = decideByRules(rules, finding, { at: now(), assetTags });
      return changes && { changes, reason: changes.statusReason };
    },
  });
}

const withDraft = (stored: readonly SuppressionRule[], ruleId: string, draft: SuppressionRule | null) =>
  inOrder([...stored.filter(({ id }) => id !== ruleId), draft ?? []].flat());

function selectionsOf(rules: readonly SuppressionRule[], ruleId: string): Selection[] {
  const held = { where: { suppressedBy: ruleId } };
  const rule = rules.find(({ id }) => id === ruleId);
  if (!rule || !isActive(rule, now())) return [held];
  const others = rules.flatMap(({ id }) => (id === ruleId ? [] : [id]));
  const ofOthers = others.length > 0 ? [ruleSelection(rule.conditions, { suppressedBy: others })] : [];
  return [held, ruleSelection(rule.conditions), ...ofOthers];
}
