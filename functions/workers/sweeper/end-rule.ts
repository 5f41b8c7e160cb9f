import { newRuleTask } from '#shared/findings/suppression/save.ts';
import { suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { removeTimer } from '#shared/platform/timers/timers.ts';
import type { Due } from './due.ts';

/** A suppression rule ends now: its findings get their former status back, unless the rule was changed meanwhile. */
export async function endRule({ table, connections, timer, drop }: Due): Promise<void> {
  const rule = await table.find(suppressionRules, timer.id, true);
  const isDue = rule?.expiresAt && Date.parse(rule.expiresAt) === timer.at;
  if (!isDue) return drop();
  const { task, send } = newRuleTask(table, timer.id);
  await queueNewTask({ connections, table }, { task, send }, (batch) => batch.write(removeTimer(timer)));
}
