import type { Condition } from '../entities/condition.ts';
import { queueNewTask } from '../jobs/outbox.ts';
import { retry } from '../runtime/retry.ts';
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

type Change<R> = {
  read: () => Promise<R>;
  /** Undefined where the request changes nothing. */
  changesOf: (before: R) => Promise<Partial<R> | undefined>;
  /** Further writes, made once the rule was read: its ids are known to be right then. */
  also?: () => Write[];
};

/** Changes a rule as `saveRule` does, reading first again after a conflict. */
export const changeRule = <R extends Rule>(
  place: Place,
  entity: Entity<R>,
  { read, changesOf, also }: Change<R>,
): Promise<R> =>
  retry(async () => {
    const before = await read();
    const changes = await changesOf(before);
    if (!changes) return before;
    const after = place.table.changed<R, never>(before, changes);
    return saveRule(place, entity, { before, after, ...(also && { also: also() }) });
  });

/** Deletes a rule, in one transaction with the task that takes from assets what it gave. */
export async function removeRule<R extends Rule>({ connections, table }: Place, entity: Entity<R>, rule: R) {
  const queued = newRulesTask(table, { ruleIds: [rule.id], conditions: [] }, { type: entity.name, id: rule.id });
  await queueNewTask(connections, table, queued, (batch) => {
    batch.delete(entity, rule);
    batch.write(rulesChanged(table));
  });
}
