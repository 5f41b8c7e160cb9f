import { suppressionRules } from '#shared/entities/suppression-rule.ts';
import { newRuleTask } from '#shared/findings/rules/save.ts';
import { queueNewTask } from '#shared/jobs/outbox.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { removeTimer, type Timer } from '#shared/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';
import { tableOf } from './table-of.ts';

/** A suppression rule ends now: its findings get their former status back, unless the rule was changed meanwhile. */
export async function endRule(connections: Connections, timer: Timer): Promise<void> {
  const table = tableOf(connections.dynamo, timer);
  const rule = await table.find(suppressionRules, timer.id, true);
  const isDue = rule?.expiresAt && Date.parse(rule.expiresAt) === timer.at;
  if (!isDue) return dropTimer(connections.dynamo, timer);
  const { task, send } = newRuleTask(table, timer.id);
  await queueNewTask(connections, table, { task, send }, (batch) => batch.write(removeTimer(timer)));
}
