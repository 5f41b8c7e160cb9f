import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Id, Timestamp } from '#shared/platform/http/records.ts';
import { TASK_KEPT_SECONDS } from '#shared/platform/jobs/task.ts';
import { taskFolder } from '#shared/platform/jobs/task-files.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { secondsAfter } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { unzipped, zipped } from '#shared/platform/runtime/gzip.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** An event as lists show it. Its outcome is its task's. */
export const Delivery = z.object({
  deliveryId: z.string().meta({ description: 'the id that the sender gave it' }),
  taskId: Id,
  event: z.string(),
  sizeBytes: z.int(),
  receivedAt: Timestamp,
});
export type Delivery = z.infer<typeof Delivery>;

/** `integrationId`: the integration to which it came, or `BILLING`. */
export type DeliveryRow = Delivery & { integrationId: string; [about: string]: string | number | null };

/** Used instead of an integration's id: the account of the payment processor, of which the deployment has one. */
export const BILLING = 'billingprocessor';

export const deliveries = defineRow<DeliveryRow, Pick<DeliveryRow, 'integrationId' | 'receivedAt' | 'deliveryId'>>({
  name: 'delivery',
  about: 'an event that came to an integration, by the time at which it came',
  key: ({ integrationId, receivedAt, deliveryId }) => [integrationId, `${receivedAt}_${deliveryId}`],
  expiresAt: ({ receivedAt }) => secondsAfter(receivedAt, TASK_KEPT_SECONDS),
});

type Named = { integrationId: string; deliveryId: string };
/** `body` is packed; undefined: it is in the bucket. */
export type ReceivedRow = Named &
  Pick<Delivery, 'taskId' | 'receivedAt'> & { group: string; hash: string; body?: Uint8Array };

export const received = defineRow<ReceivedRow, Named>({
  name: 'received-delivery',
  about: 'the body of a delivery, which is taken once',
  key: ({ integrationId, deliveryId }) => [integrationId, deliveryId],
  expiresAt: ({ receivedAt }) => secondsAfter(receivedAt, TASK_KEPT_SECONDS),
});

type SignedRow = { integrationId: string; hash: string; deliveryId: string; receivedAt: string };

export const signed = defineRow<SignedRow, Pick<SignedRow, 'integrationId' | 'hash'>>({
  name: 'signed-delivery',
  about: 'the hash of what was signed: it is taken once',
  key: ({ integrationId, hash }) => [integrationId, hash],
  expiresAt: ({ receivedAt }) => secondsAfter(receivedAt, TASK_KEPT_SECONDS),
});

/** Events of one subject, such as a repository, are worked in the order in which they came. */
export const deliveryGroup = (integrationId: string, subject: string | null): string =>
  createHash('sha256').update(`${integrationId}#${subject}`).digest('hex');

/** An item holds 400 KB. */
const MAX_IN_TABLE = 300_000;

const fileOf = ({ organizationId }: Table, taskId: string): string => `${taskFolder(organizationId, taskId)}/body.gz`;

type Place = { table: Table; bucket: Bucket };

/** The writes that keep a delivery, and the file of the body of a long one, which is in the bucket before. */
export async function deliveryWrites(
  { table, bucket }: Place,
  delivery: DeliveryRow,
  { body, hash, group }: { body: string; hash: string; group: string },
): Promise<{ writes: Write[]; file: string | undefined }> {
  const { integrationId, deliveryId, taskId, receivedAt } = delivery;
  const packed = await zipped(body);
  const isShort = packed.byteLength <= MAX_IN_TABLE;
  const file = isShort ? undefined : fileOf(table, taskId);
  if (file) await bucket.put(file, packed);
  const fail = () => new Overtaken();
  const row = { integrationId, deliveryId, taskId, group, hash, receivedAt, ...(isShort && { body: packed }) };
  const writes = [
    putWrite(table.tenant, received, { row, expect: 'absent', fail }),
    putWrite(table.tenant, signed, { row: { integrationId, hash, deliveryId, receivedAt }, expect: 'absent', fail }),
    putWrite(table.tenant, deliveries, { row: delivery }),
  ];
  return { writes, file };
}

/** The body of a delivery; undefined once it has expired. */
export async function readBody({ table, bucket }: Place, of: Named): Promise<unknown> {
  const row = await table.rows(received).find(of, true);
  const packed = row && (row.body ?? (await bucket.get(fileOf(table, row.taskId))));
  return packed && JSON.parse(await unzipped(packed));
}
