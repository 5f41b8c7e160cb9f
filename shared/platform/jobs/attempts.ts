import { inSeconds } from '../runtime/clock.ts';
import type { Dynamo } from '../runtime/dynamo.ts';
import { log } from '../runtime/log.ts';
import { defineRow } from '../table/io/row.ts';
import { GLOBAL_SCOPE } from '../table/layout/keys.ts';
import { openTable } from '../table/table.ts';

/** A message fails after this many deaths of its worker: the input may need more memory or time than available. */
export const MAX_DEATHS = 2;

/** The unanswered attempts at a message. When the next attempt begins, each of them is a death of a worker. */
export type Attempt = { messageId: string; unanswered: number };

/** A queue keeps a message for 14 days. */
const KEPT_SECONDS = 15 * 86_400;

type AttemptRow = Attempt & { expiresAt: string };

/** A row of the deployment: a late message of a deleted organization leaves nothing in that organization. */
export const attempts = defineRow<AttemptRow, Pick<AttemptRow, 'messageId'>>({
  name: 'attempt',
  about: 'the attempts without an answer at a message that names no task; a task has them in its own row',
  key: ({ messageId }) => [messageId],
  expiresAt: ({ expiresAt }) => expiresAt,
});

/** The worker of a message died too often: the message is not worked again before someone redrives it. */
export class WorkerDied extends Error {
  constructor() {
    super(`the worker died at ${MAX_DEATHS} attempts without an answer`);
  }
}

/** The deaths at this message. A redriven message has a new id and a new count. */
export const deathsOf = (attempt: Attempt | undefined, messageId: string): number =>
  attempt?.messageId === messageId ? attempt.unanswered : 0;

type Count = { begin(): Promise<unknown>; takeBack(): Promise<unknown> };

/**
 * Does the work with its attempt counted before it begins and taken back when the work fails with an answer: a dependency that fails
 * kills no worker. After a success the message is deleted, and nothing needs to be written.
 */
export async function counted<T>({ begin, takeBack }: Count, work: () => Promise<T>): Promise<T> {
  await begin();
  try {
    return await work();
  } catch (error) {
    await takeBack().catch((cause: Error) => log.error('attempt not taken back', { error: cause }));
    throw error;
  }
}

/**
 * Works a message without a task, unless its worker died too often. @param received the number of deliveries; the first
 * follows no other
 */
export async function visitCounted(
  dynamo: Dynamo,
  { messageId, received }: { messageId: string; received: number },
  work: () => Promise<void>,
): Promise<void> {
  const rows = openTable(dynamo, GLOBAL_SCOPE).rows(attempts);
  const before = received > 1 ? await rows.find({ messageId }, true) : undefined;
  const deaths = deathsOf(before, messageId);
  const note = (unanswered: number) => rows.put({ messageId, unanswered, expiresAt: inSeconds(KEPT_SECONDS) });
  await amongSuspects(deaths, () => counted({ begin: () => note(deaths + 1), takeBack: () => note(deaths) }, work));
}

let lastSuspect: Promise<unknown> = Promise.resolve();

/**
 * Works a message. A message whose worker died before runs without other such messages in this process: on one machine
 * all workers die together, and this separates the message that ends the process from the messages that ran beside it.
 * @throws WorkerDied when the worker died too often
 */
export async function amongSuspects<T>(deaths: number, work: () => Promise<T>): Promise<T> {
  if (deaths === 0) return work();
  if (deaths >= MAX_DEATHS) throw new WorkerDied();
  const mine = lastSuspect.then(work);
  lastSuspect = mine.catch(() => undefined);
  return mine;
}
