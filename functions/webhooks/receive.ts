import { createHash } from 'node:crypto';
import type { CredentialId as Owner } from '#shared/auth/token-format.ts';
import { integrations } from '#shared/entities/integration.ts';
import { deliveryGroup, deliveryWrites, type ReceivedRow, received } from '#shared/integrations/deliveries.ts';
import { readSecret, workingSecrets } from '#shared/integrations/secret.ts';
import { partitionOf, webhookSources } from '#shared/integrations/sources.ts';
import { outboxWrites, sendOutbox } from '#shared/jobs/outbox.ts';
import { newTask } from '#shared/jobs/task.ts';
import type { JsonObject } from '#shared/reports/json.ts';
import { eachAtOnce } from '#shared/runtime/chunks.ts';
import { now } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { Overtaken } from '#shared/runtime/errors.ts';
import { newId } from '#shared/runtime/ids.ts';
import { type Cause, systemActor } from '#shared/table/actor.ts';
import { GLOBAL_SCOPE } from '#shared/table/layout/keys.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { type Described, refused, type Sender, type Sent } from './sender.ts';

type WebhookCall = {
  connections: Connections;
  cause: Cause;
  query: { integration?: Owner | undefined };
  body: JsonObject;
  request: { headers: Record<string, string | undefined>; bytes: Uint8Array };
};

/**
 * Takes a delivery: finds the integration whose secret signed it, keeps the event as it came and queues its task in one
 * transaction. A worker does all else. A delivery that comes again is taken once.
 * @throws unauthorized, validation_failed
 */
export async function receive(sender: Sender, { connections, cause, query, body, request }: WebhookCall) {
  const sent = { headers: request.headers, bytes: request.bytes, body };
  const described = sender.describe(sent);
  const owners = query.integration ? [query.integration] : await ownersOf(connections, described);
  const owner = await signerOf({ connections, cause }, owners, { sender, sent });
  if (!owner) throw refused();
  return keep({ connections, ...owner }, described, sent);
}

/** Integrations that one delivery is compared with. */
const MOST_OWNERS = 20;

async function ownersOf({ dynamo }: Connections, { accounts }: Described): Promise<Owner[]> {
  const rows = openTable(dynamo, GLOBAL_SCOPE).rows(webhookSources);
  const found = await eachAtOnce(accounts, MOST_OWNERS, (account) =>
    rows.query(partitionOf(account), { limit: MOST_OWNERS }),
  );
  return found
    .flat()
    .slice(0, MOST_OWNERS)
    .map(({ organizationId, integrationId: id }) => ({ organizationId, id }));
}

type Signer = { table: Table; integrationId: string };

/** The integration that takes deliveries and has the secret. All that may be it are compared. */
async function signerOf(
  { connections, cause }: Pick<WebhookCall, 'connections' | 'cause'>,
  owners: readonly Owner[],
  { sender, sent }: { sender: Sender; sent: Sent },
): Promise<Signer | undefined> {
  const signers = await eachAtOnce(owners, MOST_OWNERS, async ({ organizationId, id }) => {
    const table = openTable(connections.dynamo, organizationId, { ...systemActor, cause });
    const [integration, secret] = await Promise.all([
      table.find(integrations, id, true),
      readSecret(connections, table, id),
    ]);
    if (!integration?.enabled || integration.kind !== sender.kind || !secret) return [];
    const isOurs = await eachAtOnce(workingSecrets(secret), 2, (one) => sender.verify(sent, one));
    return isOurs.includes(true) ? [{ table, integrationId: id }] : [];
  });
  return signers.flat()[0];
}

async function keep(
  { connections, table, integrationId }: Signer & { connections: Connections },
  described: Described,
  { bytes }: Sent,
) {
  const { accounts: _accounts, ...about } = described;
  const task = newTask(systemActor, {
    operation: 'receive_delivery',
    job: 'webhooks',
    unit: 'deliveries',
    input: { integrationId, deliveryId: about.deliveryId, event: about.event, importTaskId: newId() },
    resource: { type: 'integration', id: integrationId },
  });
  const hash = createHash('sha256').update(bytes).digest('base64url');
  const delivery = { ...about, integrationId, taskId: task.id, sizeBytes: bytes.length, receivedAt: now() };
  const send = { group: deliveryGroup(delivery) };
  const batch = table.batch();
  batch.write(...outboxWrites(table, task, send));
  batch.write(
    ...(await deliveryWrites({ table, bucket: connections.bucket }, delivery, {
      body: Buffer.from(bytes).toString('utf8'),
      hash,
    })),
  );
  try {
    await batch.commit();
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    await assertTakenBefore(table, { integrationId, deliveryId: about.deliveryId, hash });
    return { accepted: true as const, deliveryId: about.deliveryId, duplicate: true };
  }
  await sendOutbox(connections, table, { task, send });
  return { accepted: true as const, deliveryId: about.deliveryId, duplicate: false };
}

/** A body that was signed once is no proof for another delivery: somebody who saw it may have sent it. @throws unauthorized */
async function assertTakenBefore(
  table: Table,
  wanted: Pick<ReceivedRow, 'integrationId' | 'deliveryId' | 'hash'>,
): Promise<void> {
  const standing = await table.rows(received).find(wanted, true);
  if (standing?.hash !== wanted.hash) throw refused();
}
