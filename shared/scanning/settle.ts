import { now } from '../clock.ts';
import { type Engagement, type EngagementStatus, engagementStates, engagements } from '../entities/engagement.ts';
import { scannerTasks } from '../entities/scanner-task.ts';
import { log } from '../log.ts';
import { isFinal } from '../state-machine.ts';
import type { Counts } from '../table/counters.ts';
import { keysOf, tallyValue } from '../table/keys.ts';
import { queryRows } from '../table/read.ts';
import type { Table } from '../table/table.ts';

/** The counters of an engagement's tasks, in one range read over their lanes. */
export async function countTasks(table: Table, engagementId: string, consistent = false): Promise<Counts> {
  const pk = keysOf(table.scope, scannerTasks).tallies('engagement');
  const from = tallyValue(engagementId);
  const sums: Counts = {};
  const lanes = await queryRows(table.dynamo, { pk, from, to: `${from}#~`, consistent });
  for (const { pk: _pk, sk: _sk, ...counts } of lanes)
    for (const [name, amount] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + Number(amount);
  return sums;
}

/** Where an engagement stands by its tasks. Before its worker has made them all it is `requested`. */
export function statusByTasks(status: EngagementStatus, counts: Counts): EngagementStatus {
  const { pending = 0, running = 0, completed = 0, failed = 0, cancelled = 0 } = counts;
  const ended = completed + failed + cancelled;
  if (status === 'requested' || isFinal(engagementStates, status) || ended + running + pending === 0) return status;
  if (pending + running > 0) return ended + running > 0 ? 'running' : status;
  if (completed > 0) return 'completed';
  return failed > 0 ? 'failed' : 'cancelled';
}

/**
 * Brings an engagement's status in line with its tasks. Harmless to repeat: every step that may end a task calls it
 * afterwards, and so does whoever reads an engagement that should have ended.
 */
export async function settleEngagement(table: Table, engagementId: string): Promise<Engagement | undefined> {
  // consistent: whoever ends the last task must see that it was the last
  const counts = await countTasks(table, engagementId, true);
  const standing = await table.find(engagements, engagementId, true);
  if (!standing || statusByTasks(standing.status, counts) === standing.status) return standing;
  return table.modify(engagements, engagementId, (engagement) => {
    const status = statusByTasks(engagement.status, counts);
    if (status === engagement.status) return undefined;
    const ended = isFinal(engagementStates, status);
    return {
      status,
      startedAt: engagement.startedAt ?? now(),
      ...(ended && { completedAt: now() }),
      ...(status === 'failed' && { statusReason: 'No task of this engagement could be completed.' }),
    };
  });
}

/** A scanner took a task: the engagement runs. */
export async function startEngagement(table: Table, engagementId: string): Promise<void> {
  const engagement = await table.find(engagements, engagementId).catch(() => undefined);
  if (engagement?.status === 'scheduled') await settleQuietly(table, engagementId);
}

/**
 * For a step that is done and must be answered as done: an engagement that could not be settled now (many writers at
 * once, a table that does not answer) is settled when its next task ends, or when someone reads it.
 */
export async function settleQuietly(table: Table, engagementId: string): Promise<void> {
  try {
    await settleEngagement(table, engagementId);
  } catch (error) {
    log.warn('engagement not settled', { engagementId, reason: String(error) });
  }
}
