import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { newTask } from '#shared/platform/jobs/task.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { condition, defineRow, rowKey } from '#shared/platform/table/io/row.ts';
import type { ScannerTask } from '#shared/scanning/scanner-tasks/scanner-task.ts';

type Attempt = { taskId: string; attempt: number };

/** A token with which the scanner of one attempt clones. The token itself is kept nowhere. */
export type IssuedToken = Attempt & { integrationId: string; revocation: string; expiresAt: string };

export const issuedTokens = defineRow<IssuedToken, Attempt>({
  name: 'clone-token',
  about: 'that a code host made a token for one attempt of a task, which is revoked when the task has ended',
  key: ({ taskId, attempt }) => [taskId, String(attempt)],
  expiresAt: ({ expiresAt }) => expiresAt,
});

export const revokingGroup = (integrationId: string): string => `revoke-${integrationId}`;

type Ended = Pick<ScannerTask, 'id' | 'attempt' | 'codeScan'>;

/** Queues that the tokens of a task that has ended are revoked at its code host. Repeating it queues nothing. */
export async function revokeTokensOf(context: Context, task: Ended): Promise<void> {
  if (!task.codeScan?.cloneToken) return;
  const attempts = Array.from({ length: task.attempt }, (_, n) => ({ taskId: task.id, attempt: n + 1 }));
  const issued = await context.table.rows(issuedTokens).findMany(attempts, true);
  const [first] = issued;
  if (!first) return;
  const { integrationId } = first;
  const revoking = newTask(context.table.actor, {
    operation: 'revoke_clone_tokens',
    job: 'hosts',
    unit: 'tokens',
    input: { integrationId, revocations: issued.map(({ revocation }) => revocation) },
    resource: { type: 'scanner_task', id: task.id },
  });
  const forget = (batch: Batch) =>
    batch.write(
      ...issued.map((row) => ({
        remove: rowKey(context.table.tenant, issuedTokens, row),
        condition: condition({ revocation: row.revocation }),
        fail: () => new Overtaken(),
      })),
    );
  await queueNewTask(context, { task: revoking, send: { group: revokingGroup(integrationId) } }, forget);
}
