import { personOf } from '#shared/findings/triage/people.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';

type Within = Context & { caller: Caller };
type Leaving = { from: string; to: string | undefined };

/**
 * Ends an account, and queues the task that hands over what it has, where somebody is named. The account ends first: nobody assigns
 * anything to it in between. A repeated call continues a failed one.
 * @throws validation_failed for a receiver who is not there
 */
export async function endAccount<T>({ caller, ...context }: Within, { from, to }: Leaving, end: () => Promise<T>) {
  if (to === undefined) return { ...(await end()), handOverTaskId: null };
  if (to === from) throw invalid('handOverTo', 'must be somebody else');
  await personOf(context.table, caller, { path: 'handOverTo', id: to });
  const ended = await end();
  const send = { group: context.table.tenant };
  const request = { operation: 'hand_over', job: 'ingest', unit: 'records', input: { from, to }, send } as const;
  return { ...ended, handOverTaskId: (await queueTask(context, request)).taskId };
}
