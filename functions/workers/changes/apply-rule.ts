import * as z from 'zod';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { assetsBehind, type Behind } from '#shared/findings/branches/tried-rules.ts';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { decideByRules, type ReadyRule } from '#shared/findings/suppression/decide.ts';
import { inOrder, readRules, readyRules, ruleSelection } from '#shared/findings/suppression/stored.ts';
import { isActive, type SuppressionRule } from '#shared/findings/suppression/suppression-rule.ts';
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
  const rules =
    draft === undefined ? stored : withDraft(stored, ruleId, draft === null ? [] : await readyRules([draft]));
  let behind: Behind = new Map();
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
      behind = await assetsBehind(table, rules, found);
    },
    decide(finding) {
      const changes = decideByRules(rules, finding, { at: now(), behind: behind.get(finding.asset.id) });
      return changes && { changes, reason: changes.statusReason };
    },
  });
}

const withDraft = (stored: readonly ReadyRule[], ruleId: string, draft: readonly ReadyRule[]) =>
  inOrder([...stored.filter(({ id }) => id !== ruleId), ...draft]);

function selectionsOf(rules: readonly ReadyRule[], ruleId: string): Selection[] {
  const held = { where: { suppressedBy: ruleId } };
  const rule = rules.find(({ id }) => id === ruleId);
  if (!rule || !isActive(rule, now())) return [held];
  const others = rules.flatMap(({ id }) => (id === ruleId ? [] : [id]));
  const ofOthers = others.length > 0 ? [heldByOthers(rule, others)] : [];
  return [held, ruleSelection(rule), ...ofOthers];
}

/** Places that the index has of open findings only. */
const OF_OPEN = ['priority', 'due', 'epss'];

/** Findings of other rules that this one may hold: the index has these as they are, and the rule sees them as open ones. */
const heldByOthers = (rule: ReadyRule, others: readonly string[]): Selection =>
  OF_OPEN.some((field) => rule.compiled.asks.includes(field))
    ? { where: { suppressedBy: others } }
    : ruleSelection(rule, { suppressedBy: others });
