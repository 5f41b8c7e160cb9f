import type { Engagement } from '#shared/entities/engagement.ts';
import { assertSpelled } from '#shared/scanner-tasks/check-scope.ts';

/**
 * Checks a stored engagement by the rules of today, before its run makes a task: it may be older than they are.
 * @throws validation_failed
 */
export function assertMayRun(engagement: Engagement): void {
  assertSpelled(engagement);
}
