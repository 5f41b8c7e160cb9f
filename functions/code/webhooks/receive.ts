import { countDelivery } from '#shared/code/integrations/delivery-counts.ts';
import { integrations } from '#shared/code/integrations/integration.ts';
import { readSecret, workingSecrets } from '#shared/code/integrations/secret.ts';
import { type Account, partitionOf, webhookSources } from '#shared/code/integrations/sources.ts';
import type { CredentialId as Owner } from '#shared/platform/auth/token-format.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { type Cause, systemActor } from '#shared/platform/table/actor.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import type { JsonObject } from '#shared/reports/readers/json.ts';
import { keepDelivery } from './keep-delivery.ts';
import { outlineOf } from './outline.ts';
import { refused, type Sender, type Unproven } from './sender.ts';

export type WebhookCall = {
  connections: Connections;
  cause: Cause;
  query: { integration?: Owner | undefined };
  /** Parses the bytes, which takes long for many: only once they are proven. */
  body: () => JsonObject;
  request: Unproven;
};

/**
 * Takes a delivery: finds the integration whose secret signed it, keeps the event and queues its task in one
 * transaction. A worker does the rest. A repeated delivery has no further effect.
 * @throws unauthorized, validation_failed
 */
export async function receive(sender: Sender, { connections, cause, query, body, request }: WebhookCall) {
  if (!sender.isSigned(request.headers)) throw refused();
  const owners = query.integration
    ? [query.integration]
    : await ownersOf(connections, sender.accountsIn(request.headers, outlineOf(request.bytes)));
  const owner = await signerOf({ connections, cause }, owners, { sender, request });
  if (!owner) throw refused();
  const sent = { ...request, body: body() };
  const about = sender.describe(sent);
  return keepDelivery(
    { connections, ...owner },
    {
      about,
      bytes: sender.kept?.(sent) ?? request.bytes,
      subject: about.repository,
      signs: sender.signs(sent),
      isSignedAnew: false,
      operation: 'receive_delivery',
      input: { importTaskId: newId() },
      resource: { type: 'integration', id: owner.integrationId },
      also: [countDelivery(owner.table, owner.integrationId, about.event)],
    },
  );
}

/** Integrations that one delivery is compared with. */
const MAX_OWNERS = 20;

async function ownersOf({ dynamo }: Connections, accounts: readonly Account[]): Promise<Owner[]> {
  const rows = openTable(dynamo, GLOBAL_SCOPE).rows(webhookSources);
  const found = await eachAtOnce(accounts, MAX_OWNERS, (account) =>
    rows.query(partitionOf(account), { limit: MAX_OWNERS }),
  );
  return found
    .flat()
    .slice(0, MAX_OWNERS)
    .map(({ organizationId, integrationId: id }) => ({ organizationId, id }));
}

type Signer = { table: Table; integrationId: string };

/** The integration that takes deliveries and has the secret. All that may be it are compared. */
async function signerOf(
  { connections, cause }: Pick<WebhookCall, 'connections' | 'cause'>,
  owners: readonly Owner[],
  { sender, request }: { sender: Sender; request: Unproven },
): Promise<Signer | undefined> {
  const signers = await eachAtOnce(owners, MAX_OWNERS, async ({ organizationId, id }) => {
    const table = openTable(connections.dynamo, organizationId, { ...systemActor, cause });
    const [integration, secret] = await Promise.all([
      table.find(integrations, id, true),
      readSecret({ connections, table }, id),
    ]);
    if (!integration?.enabled || integration.kind !== sender.kind || !secret) return [];
    const isOurs = workingSecrets(secret).map((one) => sender.verify(request, one));
    return isOurs.includes(true) ? [{ table, integrationId: id }] : [];
  });
  return signers.flat()[0];
}
