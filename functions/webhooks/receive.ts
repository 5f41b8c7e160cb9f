import type { CredentialId as Owner } from '#shared/auth/token-format.ts';
import { integrations } from '#shared/entities/integration.ts';
import { countDelivery } from '#shared/integrations/delivery-counts.ts';
import { readSecret, workingSecrets } from '#shared/integrations/secret.ts';
import { partitionOf, webhookSources } from '#shared/integrations/sources.ts';
import type { JsonObject } from '#shared/reports/json.ts';
import { eachAtOnce } from '#shared/runtime/chunks.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { newId } from '#shared/runtime/ids.ts';
import { type Cause, systemActor } from '#shared/table/actor.ts';
import { GLOBAL_SCOPE } from '#shared/table/layout/keys.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { keepDelivery } from './keep-delivery.ts';
import { type Described, refused, type Sender, type Sent } from './sender.ts';

export type WebhookCall = {
  connections: Connections;
  cause: Cause;
  query: { integration?: Owner | undefined };
  body: JsonObject;
  request: { headers: Record<string, string | undefined>; bytes: Uint8Array };
};

/**
 * Takes a delivery: finds the integration whose secret signed it, keeps the event and queues its task in one
 * transaction. A worker does all else. A delivery that comes again is taken once.
 * @throws unauthorized, validation_failed
 */
export async function receive(sender: Sender, { connections, cause, query, body, request }: WebhookCall) {
  const sent = { headers: request.headers, bytes: request.bytes, body };
  const described = sender.describe(sent);
  const owners = query.integration ? [query.integration] : await ownersOf(connections, described);
  const owner = await signerOf({ connections, cause }, owners, { sender, sent });
  if (!owner) throw refused();
  const { accounts: _accounts, ...about } = described;
  return keepDelivery(
    { connections, ...owner },
    {
      ...{
        about,
        bytes: sender.kept?.(sent) ?? request.bytes,
        subject: about.repository,
        signs: sender.signs(sent),
        isSignedAnew: false,
      },
      ...{ operation: 'receive_delivery', input: { importTaskId: newId() } },
      resource: { type: 'integration', id: owner.integrationId },
      also: [countDelivery(owner.table, owner.integrationId, about.event)],
    },
  );
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
