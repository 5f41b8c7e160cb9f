import { createHash } from 'node:crypto';
import { readSecret, workingSecrets } from '#shared/code/integrations/secret.ts';
import type { CredentialId as Owner } from '#shared/platform/auth/token-format.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { type JsonObject, textAt } from '#shared/reports/readers/json.ts';
import { ticketingConnections } from '#shared/ticketing/ticketing-connection.ts';
import { keepDelivery } from './keep-delivery.ts';
import type { WebhookCall } from './receive.ts';
import { headerOf, refused, type Unproven } from './sender.ts';
import { isSignedBy } from './signature.ts';

/**
 * Takes an event of Jira: https://developer.atlassian.com/cloud/jira/platform/webhooks/. Its address names the connection, whose
 * secret signs it.
 * @throws unauthorized, validation_failed
 */
export async function receiveTicketEvent(call: TicketCall) {
  const { connections, cause, query, request } = call;
  if (!query.connection) throw refused(REFUSED);
  const { organizationId, id } = query.connection;
  const table = openTable(connections.dynamo, organizationId, { ...systemActor, cause });
  if (!(await isOurs({ connections, table, id }, request))) throw refused(REFUSED);
  const body = call.body();
  const issue = textAt(body, 'issue', 'key') ?? null;
  const about = { deliveryId: deliveryIdOf(request), event: eventOf(body), issue };
  return keepDelivery(
    { connections, table, integrationId: id },
    {
      about,
      bytes: request.bytes,
      subject: textAt(body, 'issue', 'id') ?? null,
      signs: request.bytes,
      isSignedAnew: false,
      refusal: REFUSED,
      operation: 'receive_ticket_event',
      job: 'ticketing',
      resource: { type: 'ticketing_connection', id },
    },
  );
}

type TicketCall = Omit<WebhookCall, 'query'> & { query: { connection?: Owner | undefined } };

const REFUSED =
  'The delivery is not signed with the webhook secret of a connection that takes its events: compare the address and the ' +
  'secret of the webhook in Jira with those of the connection.';

type Owned = Context & { id: string };

async function isOurs({ connections, table, id }: Owned, { headers, bytes }: Unproven): Promise<boolean> {
  const [connection, secret] = await Promise.all([
    table.find(ticketingConnections, id, true),
    readSecret({ connections, table }, id),
  ]);
  if (!connection?.enabled || !secret) return false;
  const signature = headers['x-hub-signature'] ?? '';
  return workingSecrets(secret)
    .map((one) => isSignedBy(one, signature, bytes))
    .includes(true);
}

/**
 * Jira Cloud names each delivery and repeats the name with each attempt; for Data Center the body identifies the
 * delivery.
 */
const deliveryIdOf = ({ headers, bytes }: Unproven): string =>
  headers['x-atlassian-webhook-identifier']
    ? headerOf(headers, 'x-atlassian-webhook-identifier')
    : createHash('sha256').update(bytes).digest('hex');

/** @throws validation_failed */
function eventOf(body: JsonObject): string {
  const event = textAt(body, 'webhookEvent') ?? '';
  if (!/^[\w:.-]{1,100}$/.test(event))
    throw invalid('webhookEvent', 'must be the name of an event, such as jira:issue_updated');
  return event;
}
