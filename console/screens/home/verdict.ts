import type { Overview } from '../../api/types.ts';
import { texts } from '../../texts.ts';

const { verdict, direction } = texts.home;

type Counted = Pick<
  Overview['findings'],
  'total' | 'open' | 'overdue' | 'openBySeverity' | 'opened7d' | 'reopened7d' | 'fixed7d'
>;

/** The state in one sentence: the worst that is true. */
export function verdictOf({ open, overdue = 0, openBySeverity }: Counted): string {
  const critical = openBySeverity.critical ?? 0;
  if (overdue > 0) return verdict.overdue(overdue, critical);
  if (critical > 0) return verdict.critical(critical);
  return open > 0 ? verdict.open(open) : verdict.clear;
}

/** Whether it is getting better, in one sentence. */
export function directionOf({ total, opened7d = 0, reopened7d = 0, fixed7d = 0 }: Counted): string {
  const came = opened7d + reopened7d;
  if (came === 0 && fixed7d === 0) return direction.none;
  if (came === total && fixed7d === 0) return direction.first;
  if (came === fixed7d) return direction.same(came);
  return came > fixed7d ? direction.worse(came, fixed7d) : direction.better(came, fixed7d);
}
