import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { moveTimer } from '#shared/platform/timers/timers.ts';
import { newManyTask } from '../bulk/queue.ts';
import { type SuppressionRule, suppressionRules } from './suppression-rule.ts';

/** The task that applies the current rule to findings. */
export const newRuleTask = (table: Table, ruleId: string) =>
  newManyTask(table, {
    operation: 'apply_suppression_rule',
    input: { ruleId },
    resource: { type: 'suppression_rule', id: ruleId },
  });

/** Creates or changes a rule, in one transaction with the task that applies it. */
export async function saveRule(
  { connections, table }: Context,
  after: SuppressionRule,
  before?: SuppressionRule,
): Promise<SuppressionRule> {
  const { task, send } = newRuleTask(table, after.id);
  const next = { ...after, taskId: task.id };
  await queueNewTask({ connections, table }, { task, send }, (batch) => {
    if (before) batch.update(suppressionRules, before, next);
    else batch.create(suppressionRules, next);
    batch.write(...timerWrites(table, before, next));
  });
  return next;
}

/** Deletes a rule, in one transaction with the task that takes its decisions back. */
export async function removeRule({ connections, table }: Context, rule: SuppressionRule): Promise<void> {
  const { task, send } = newRuleTask(table, rule.id);
  await queueNewTask({ connections, table }, { task, send }, (batch) => {
    batch.delete(suppressionRules, rule);
    batch.write(...timerWrites(table, rule, undefined));
  });
}

type Current = SuppressionRule | undefined;

const timerWrites = ({ organizationId }: Table, before: Current, after: Current): Write[] =>
  moveTimer({ kind: 'suppression', organizationId, id: (after ?? before)?.id ?? '' }, endOf(before), endOf(after));

const endOf = (rule: Current): number | undefined => (rule?.expiresAt ? Date.parse(rule.expiresAt) : undefined);
