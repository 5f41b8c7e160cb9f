import { createHash } from 'node:crypto';
import { deliveryGroup, deliveryWrites, type ReceivedRow, received } from '#shared/code/integrations/deliveries.ts';
import type { JobName } from '#shared/platform/jobs/jobs.ts';
import type { Operation } from '#shared/platform/jobs/operations.ts';
import { outboxWrites, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { newTask } from '#shared/platform/jobs/task.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { refused } from './sender.ts';

type Place = Context & { integrationId: string };

/** A delivery with a proven signature. */
type Proven = {
  about: { deliveryId: string; event: string; [name: string]: string | null };
  bytes: Uint8Array;
  /** The worker works events with the same subject in order. */
  subject: string | null;
  /** The signed bytes: they are taken once. */
  signs: Uint8Array;
  /** Whether the sender makes a new signature for each attempt. */
  isSignedAnew: boolean;
  /** The refusal of a signature that came before; of code hosts unless given. */
  refusal?: string;
  operation: Operation;
  /** The job that works the event; default: `webhooks`. */
  job?: JobName;
  input?: Record<string, string>;
  resource?: { type: string; id: string };
  also?: Write[];
};

/** Keeps a delivery and queues its task, in one transaction. @throws unauthorized */
export async function keepDelivery({ connections, table, integrationId }: Place, proven: Proven) {
  const { about, bytes, operation, job = 'webhooks', input, resource, also = [] } = proven;
  const { deliveryId, event } = about;
  const task = newTask(systemActor, {
    operation,
    job,
    unit: 'deliveries',
    resource,
    input: { integrationId, deliveryId, event, ...input },
  });
  const hash = createHash('sha256').update(proven.signs).digest('base64url');
  const delivery = { ...about, integrationId, taskId: task.id, sizeBytes: bytes.length, receivedAt: now() };
  const group = deliveryGroup(integrationId, proven.subject);
  const body = Buffer.from(bytes).toString('utf8');
  const batch = table.batch();
  const { bucket } = connections;
  const { writes, file } = await deliveryWrites({ table, bucket }, delivery, { body, hash, group });
  batch.write(...outboxWrites(table, task, { group }), ...also, ...writes);
  try {
    await batch.commit();
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    if (file) await bucket.remove([file]);
    await assertTakenBefore(table, { integrationId, deliveryId, hash }, proven);
    return { accepted: true as const, deliveryId, duplicate: true };
  }
  await sendOutbox({ connections, table }, { task, send: { group } });
  return { accepted: true as const, deliveryId, duplicate: false };
}

/** A signature is no proof for another delivery: somebody who saw it may have sent it again. @throws unauthorized */
async function assertTakenBefore(
  table: Table,
  wanted: Pick<ReceivedRow, 'integrationId' | 'deliveryId' | 'hash'>,
  { isSignedAnew, refusal }: Pick<Proven, 'isSignedAnew' | 'refusal'>,
): Promise<void> {
  const current = await table.rows(received).find(wanted, true);
  if (!current || (current.hash === wanted.hash) === isSignedAnew) throw refused(refusal);
}
