import type * as z from 'zod';
import type { AssetCondition } from '#shared/platform/filter/schema.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Concerned, newRulesTask } from './apply.ts';
import { rulesChanged, rulesMarks } from './mark.ts';

type Rule = Stored & { enabled: boolean; condition: AssetCondition; taskId: string };

/** A change of a rule: the assets that it concerns, and its own rows beside the task that brings them along. */
type RuleChange = {
  rule: Rule;
  entity: string;
  conditions: AssetCondition[];
  write: (batch: Batch, taskId: string) => void;
};

/**
 * Writes a change of a rule, in one transaction with the task that applies it to the assets. A waiting task takes the
 * change along.
 */
async function queueChange(context: Context, change: RuleChange): Promise<void> {
  const { rule, conditions } = change;
  const waiting = await waitingTask(context.table, { ruleIds: [rule.id], conditions });
  if (waiting === undefined) return queueAlone(context, change);
  try {
    await joinTask(context.table, change, waiting);
  } catch (error) {
    if (!(error instanceof TaskBegan)) throw error;
    await queueAlone(context, change);
  }
}

async function joinTask(table: Context['table'], { write }: RuleChange, waiting: WaitingTask): Promise<void> {
  const batch = table.batch();
  write(batch, waiting.id);
  batch.write(waiting.write, rulesChanged(table, waiting.id));
  await batch.commit();
}

async function queueAlone({ connections, table }: Context, { rule, entity, conditions, write }: RuleChange) {
  const queued = newRulesTask(table, { ruleIds: [rule.id], conditions }, { type: entity, id: rule.id });
  await queueNewTask({ connections, table }, queued, (batch) => {
    write(batch, queued.task.id);
    batch.write(rulesChanged(table, queued.task.id));
  });
}

/** Creates or changes a rule. @returns the rule with the task that brings the assets to it */
export async function saveRule<R extends Rule>(
  context: Context,
  entity: Entity<R>,
  { before, after, also = [] }: { before?: R; after: R; also?: Write[] },
): Promise<R> {
  let saved = after;
  await queueChange(context, {
    rule: after,
    entity: entity.name,
    conditions: after.enabled ? [after.condition] : [],
    write(batch, taskId) {
      saved = { ...after, taskId };
      if (before) batch.update(entity, before, saved);
      else batch.create(entity, saved);
      batch.write(...also);
    },
  });
  return saved;
}
type Change<R> = {
  read: () => Promise<R>;
  /** Undefined where the request changes nothing. */
  changesOf: (before: R) => Promise<Partial<R> | undefined>;
  /** Further writes, made once the rule was read: its ids are known to be right then. */
  also?: () => Write[];
};

/** Changes a rule as `saveRule` does, reading first again after a conflict. */
export const changeRule = <R extends Rule>(
  context: Context,
  entity: Entity<R>,
  { read, changesOf, also }: Change<R>,
): Promise<R> =>
  retry(async () => {
    const before = await read();
    const changes = await changesOf(before);
    if (!changes) return before;
    const after = context.table.changed<R, never>(before, changes);
    return saveRule(context, entity, { before, after, ...(also && { also: also() }) });
  });

/** Deletes a rule, with the task that removes its results from assets. */
export const removeRule = <R extends Rule>(context: Context, entity: Entity<R>, rule: R): Promise<void> =>
  queueChange(context, {
    rule,
    entity: entity.name,
    conditions: [],
    write: (batch) => void batch.delete(entity, rule),
  });

/** The task was begun, so that it takes nothing more along. */
class TaskBegan extends Error {}

/** A task that waits, and the write by which it takes a further change of rules along. */
type WaitingTask = { id: string; write: Write };

/** The most conditions of one task: the index narrows each condition separately, and the task's row has a limit. */
const MAX_WAITING = 20;

/**
 * The last task of changed rules, where nobody has begun it: with several changes it reads the assets once for all. It is found by
 * the mark of the rules.
 */
async function waitingTask(
  table: Table,
  { ruleIds, conditions }: Pick<z.input<typeof Concerned>, 'ruleIds' | 'conditions'>,
): Promise<WaitingTask | undefined> {
  const { taskId } = (await table.rows(rulesMarks).find({}, true)) ?? {};
  const task = taskId === undefined ? undefined : await table.rows(taskRows).find({ id: taskId }, true);
  const at = now();
  // the time of the change shows the task's worker that it reads the last queued state
  if (task?.status !== 'queued' || task.updatedAt >= at) return undefined;
  const concerned = Concerned.parse(task.input);
  if (concerned.conditions.length + conditions.length > MAX_WAITING || concerned.ruleIds.length >= MAX_WAITING)
    return undefined;
  const input = {
    ...concerned,
    ruleIds: [...new Set([...concerned.ruleIds, ...ruleIds])],
    conditions: [...concerned.conditions, ...conditions],
  };
  const expect = { status: 'queued', updatedAt: task.updatedAt };
  const write = putWrite(table.tenant, taskRows, {
    row: { ...task, input, updatedAt: at },
    expect,
    fail: () => new TaskBegan(),
  });
  return { id: task.id, write };
}
