import type { Condition } from '../entities/condition.ts';
import { queueNewTask } from '../jobs/outbox.ts';
import type { Entity, Stored } from '../table/entity.ts';
import type { Write } from '../table/io/commit.ts';
import { newRulesTask } from './apply.ts';
import { rulesChanged } from './mark.ts';
import type { Place } from './settle-assets.ts';

type Rule = Stored & { enabled: boolean; condition: Condition; taskId: string };

/** Creates or changes a rule, in one transaction with the task that brings the assets to it. */
export async function saveRule<R extends Rule>(
  { connections, table }: Place,
  entity: Entity<R>,
  { before, after, also = [] }: { before?: R; after: R; also?: Write[] },
): Promise<R> {
  const conditions = after.enabled ? [after.condition] : [];
  const queued = newRulesTask(table, { ruleIds: [after.id], conditions }, { type: entity.name, id: after.id });
  const next = { ...after, taskId: queued.task.id };
  await queueNewTask(connections, table, queued, (batch) => {
    if (before) batch.update(entity, before, next);
    else batch.create(entity, next);
    batch.write(rulesChanged(table), ...also);
  });
  return next;
}

/** Deletes a rule, in one transaction with the task that takes from assets what it gave. */
export async function removeRule<R extends Rule>({ connections, table }: Place, entity: Entity<R>, rule: R) {
  const queued = newRulesTask(table, { ruleIds: [rule.id], conditions: [] }, { type: entity.name, id: rule.id });
  await queueNewTask(connections, table, queued, (batch) => {
    batch.delete(entity, rule);
    batch.write(rulesChanged(table));
  });
}
