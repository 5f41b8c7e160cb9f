import { createHash } from 'node:crypto';
import * as z from 'zod';
import { open, seal } from '#shared/platform/crypto/seal.ts';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { makeId } from '#shared/platform/runtime/ids.ts';

/** A completion is a task of the job `completions`; its id is the requestID. Its texts are never in the table. */
export const COMPLETION_OPERATION = 'apex_llm_completion';

/** Prompts and answers are readable for a day; the bucket removes them a day later. */
export const COMPLETION_SECONDS = 86_400;
export const COMPLETIONS_PREFIX = 'completions/';

export const expiryOf = ({ createdAt }: Pick<TaskRow, 'createdAt'>): string =>
  new Date(Date.parse(createdAt) + COMPLETION_SECONDS * 1000).toISOString();

export const hasExpired = (task: Pick<TaskRow, 'createdAt'>): boolean => expiryOf(task) <= now();

/** The input and outcome of a completion in its task row. */
export const CompletionInput = z.object({ taskId: z.uuid() });
export const CompletionOutcome = z
  .object({ tokensLeft: z.int().nonnegative(), retryable: z.boolean() })
  .partial()
  .catch({});

/** One id per machine, task and key. The time in the id is the task's time. */
export function completionIdOf({ machineId, taskId, key }: { machineId: string; taskId: string; key: string }): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(['completion', machineId, taskId, key]))
    .digest();
  const milliseconds = Number.parseInt(taskId.replaceAll('-', '').slice(0, 12), 16);
  return makeId(hash.readUIntBE(0, 5), milliseconds, hash.subarray(5, 10));
}

type Part = 'prompt' | 'answer';
type CompletionText = { organizationId: string; id: string; part: Part };

const keyOf = ({ organizationId, id, part }: CompletionText): string =>
  `${COMPLETIONS_PREFIX}${organizationId}/${id}/${part}`;
const sealOf = ({ organizationId, id, part }: CompletionText) => ({
  organizationId,
  purpose: `completion-${part}`,
  id,
});

export async function putSealed(connections: Connections, place: CompletionText, value: unknown): Promise<void> {
  const sealed = await seal(connections, sealOf(place), Buffer.from(JSON.stringify(value), 'utf8'));
  await connections.bucket.put(keyOf(place), sealed);
}

/** @returns undefined when the text was never kept, or was removed */
export async function getSealed(connections: Connections, place: CompletionText): Promise<unknown> {
  const sealed = await connections.bucket.get(keyOf(place));
  if (!sealed) return undefined;
  return JSON.parse(Buffer.from(await open(connections, sealOf(place), sealed)).toString('utf8'));
}

export const removeSealed = (connections: Connections, place: CompletionText): Promise<void> =>
  connections.bucket.remove([keyOf(place)]);
