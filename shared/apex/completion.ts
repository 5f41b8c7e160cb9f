import { createHash } from 'node:crypto';
import * as z from 'zod';
import { now } from '../clock.ts';
import { open, seal } from '../crypto/seal.ts';
import { makeId } from '../ids.ts';
import type { TaskRow } from '../jobs/task.ts';
import type { Ports } from '../ports.ts';

/** A completion is a task of the job `completions` whose id is the requestID. The table holds nothing of its texts. */
export const COMPLETION_OPERATION = 'apex_llm_completion';

/** Prompts and answers can be read for a day; the bucket removes them a day later. */
export const COMPLETION_SECONDS = 86_400;
export const COMPLETIONS_PREFIX = 'completions/';

export const expiryOf = ({ createdAt }: Pick<TaskRow, 'createdAt'>): string =>
  new Date(Date.parse(createdAt) + COMPLETION_SECONDS * 1000).toISOString();

export const hasExpired = (task: Pick<TaskRow, 'createdAt'>): boolean => expiryOf(task) <= now();

/** What the task row says of a completion. */
export const CompletionInput = z.object({ taskId: z.uuid() });
export const CompletionOutcome = z
  .object({ tokensLeft: z.int().nonnegative(), retryable: z.boolean() })
  .partial()
  .catch({});

/** The same machine, task and key name the same completion; the time in the id is the task's. */
export function completionIdOf({ machineId, taskId, key }: { machineId: string; taskId: string; key: string }): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(['completion', machineId, taskId, key]))
    .digest();
  const milliseconds = Number.parseInt(taskId.replaceAll('-', '').slice(0, 12), 16);
  return makeId(hash.readUIntBE(0, 5), milliseconds, hash.subarray(5, 10));
}

type Part = 'prompt' | 'answer';
type Place = { organizationId: string; id: string; part: Part };

const keyOf = ({ organizationId, id, part }: Place): string => `${COMPLETIONS_PREFIX}${organizationId}/${id}/${part}`;
const sealOf = ({ organizationId, id, part }: Place) => ({ organizationId, purpose: `completion-${part}`, id });

export async function putSealed(ports: Ports, place: Place, value: unknown): Promise<void> {
  const sealed = await seal(ports, sealOf(place), Buffer.from(JSON.stringify(value), 'utf8'));
  await ports.bucket.put(keyOf(place), sealed);
}

/** @returns undefined when there is none (any more) */
export async function getSealed(ports: Ports, place: Place): Promise<unknown> {
  const sealed = await ports.bucket.get(keyOf(place));
  if (!sealed) return undefined;
  return JSON.parse(Buffer.from(await open(ports, sealOf(place), sealed)).toString('utf8'));
}

export const removeSealed = (ports: Ports, place: Place): Promise<void> => ports.bucket.remove([keyOf(place)]);
