import { newRuleTask } from '#shared/findings/suppression/save.ts';
import { suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { removeTimer, type Timer } from '#shared/platform/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';
import { tableOf } from './table-of.ts';

/** A suppression rule ends now: its findings get their former status back, unless the rule was changed meanwhile. */
export async function endRule(connections: Connections, timer: Timer): Promise<void> {
  const table = tableOf(connections.dynamo, timer);
  const rule = await table.find(suppressionRules, timer.id, true);
  const isDue = rule?.expiresAt && Date.parse(rule.expiresAt) === timer.at;
  if (!isDue) return dropTimer(connections.dynamo, timer);
  const { task, send } = newRuleTask(table, timer.id);
  await queueNewTask({ connections, table }, { task, send }, (batch) => batch.write(removeTimer(timer)));
}
