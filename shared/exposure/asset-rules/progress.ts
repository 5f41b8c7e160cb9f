import type * as z from 'zod';
import { assetBits } from '#shared/assets/conditions/narrow.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import { isFinished, taskRows } from '#shared/platform/jobs/task.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { countOf } from '#shared/platform/table/layout/bits.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Conditional, withCondition } from './condition.ts';

const AT_ONCE = 50;

type Rule = { id: string; version: number; taskId: string; updatedAt: string };

/** One rule with its progress. */
export async function shownRule<R extends Rule>(table: Table, rule: R) {
  const [view] = await withProgress(table, [rule]);
  if (!view) throw new Error(`no view of the rule ${rule.id}`);
  return view;
}

type Patching<R> = { before: R; patch: object; ifMatch?: string | undefined };

/** The changes that a patch makes to a rule, with the condition that the rule has then. @throws as `mergePatch` does */
export async function ruleChanges<R extends Rule & Conditional, S extends z.core.$ZodLooseShape>(
  table: Table,
  schema: z.ZodObject<S>,
  { before, patch, ifMatch }: Patching<R>,
) {
  const changes = mergePatch(schema, await shownRule(table, before), {
    patch,
    ...(ifMatch !== undefined && { ifMatch }),
  });
  if (!changes) return undefined;
  const { condition } = await withCondition(table, { ...before, ...changes }, changes);
  return { ...changes, condition };
}

/**
 * The rules with the number of matching assets, and whether their last task has ended. A deleted task ended long ago.
 */
export async function withProgress<R extends Rule>(table: Table, rules: readonly R[]) {
  const ids = [...new Set(rules.map(({ taskId }) => taskId))];
  const [tasks, counts] = await Promise.all([
    table.rows(taskRows).findMany(ids.map((id) => ({ id }))),
    eachAtOnce(rules, AT_ONCE, async ({ id }) => countOf(await assetBits(table, { name: 'rule', values: [id] }))),
  ]);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return rules.map((rule, n) => {
    const task = byId.get(rule.taskId);
    const isEvaluating = task !== undefined && !isFinished(task);
    return {
      ...rule,
      matchCount: counts[n] ?? 0,
      status: isEvaluating ? ('evaluating' as const) : ('ready' as const),
      lastEvaluatedAt: isEvaluating ? null : (task?.finishedAt ?? rule.updatedAt),
    };
  });
}
