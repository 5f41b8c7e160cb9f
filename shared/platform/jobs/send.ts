import { createHash } from 'node:crypto';
import type { Connections } from '../runtime/connections.ts';
import type { SendOptions } from '../runtime/queues.ts';
import { GLOBAL_SCOPE } from '../table/layout/keys.ts';
import { type Job, type JobName, jobs, queueName } from './jobs.ts';

/**
 * Sends a message to the queue of a job. An organization's callers choose its groups, and at most `perOrganization` of
 * them run at once: the groups of one lane share a message group, so that each group keeps its order
 * (docs/decisions/0067).
 */
export const sendMessage = (
  { queues }: Pick<Connections, 'queues'>,
  job: JobName,
  message: { organizationId: string } & Record<string, unknown>,
  { group, deduplicationId, isApart = false }: Required<SendOptions> & { isApart?: boolean },
): Promise<void> =>
  queues.send(queueName(jobs[job]), message, {
    group: laneOf(jobs[job], message.organizationId, { group, isApart }),
    deduplicationId,
  });

/** Lanes of an organization for groups that keep theirs busy for long, beside the usual ones. */
export const APART = 2;

/**
 * The message group: an organization with one of its lanes. A message without an organization has one group for each
 * subject, such as a customer.
 */
export function laneOf(
  { perOrganization }: Job,
  organizationId: string,
  { group, isApart = false }: { group: string; isApart?: boolean },
): string {
  if (organizationId === GLOBAL_SCOPE) return group;
  const number = createHash('sha256').update(group).digest().readUInt32BE();
  return `${organizationId}-${isApart ? `apart-${number % APART}` : number % perOrganization}`;
}
