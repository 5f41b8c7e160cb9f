import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type DetectionRule, detectionRules } from './detection-rule.ts';
import { rulesChanged } from './mark.ts';

/** Why a rule is over its budget, and what to do about that. */
export const overBudget = (pattern: string): string =>
  `The rule takes too many steps on the events of one batch; the last ones were at ${pattern}. Write longer texts instead of wildcards, repeat less in regular expressions, or name more of the log source or of the fields.`;

/** Turns off a rule that cannot run, with the reason. A rule that was changed meanwhile stays as it is. */
export const switchOff = (
  table: Table,
  { id, version }: Pick<DetectionRule, 'id' | 'version'>,
  switchedOffReason: string,
): Promise<void> =>
  retry(async () => {
    const current = await table.find(detectionRules, id, true);
    if (current?.version !== version || !current.enabled) return;
    await table.update(detectionRules, current, { enabled: false, switchedOffReason }, (batch) =>
      batch.write(rulesChanged(table)),
    );
  });
