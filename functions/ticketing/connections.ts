import { encodeId } from '#shared/auth/token-format.ts';
import { removeSecret, sealWrite } from '#shared/credentials/sealed.ts';
import { ticketRules } from '#shared/entities/ticket-rule.ts';
import { type TicketingConnection, ticketingConnections } from '#shared/entities/ticketing-connection.ts';
import { showEach } from '#shared/http/pagination.ts';
import { mergePatch } from '#shared/http/records.ts';
import type { Call, Handlers } from '#shared/http/route.ts';
import { listDeliveries } from '#shared/integrations/delivery-list.ts';
import { replay } from '#shared/integrations/replay.ts';
import { type IntegrationSecret, newWebhookSecret, readSecret, rotated } from '#shared/integrations/secret.ts';
import { HostError } from '#shared/outgoing/host-error.ts';
import { now } from '#shared/runtime/clock.ts';
import { conflict, invalid, notFound } from '#shared/runtime/errors.ts';
import { ordinalsOf, recordsAt } from '#shared/table/selected.ts';
import type { Table } from '#shared/table/table.ts';
import { MAX_CONNECTIONS } from '#shared/ticketing/connections.ts';
import { noteJira } from '#shared/ticketing/health.ts';
import { openJira } from '#shared/ticketing/open.ts';
import type { Place } from '#shared/ticketing/open-ticket.ts';
import { nextPoll, pollWrites } from '#shared/ticketing/poll-timer.ts';
import { ConnectionView, TicketDelivery, type ticketingConnectionRoutes } from './connection-routes.ts';

type Routes = typeof ticketingConnectionRoutes;

function show({ connections: { settings }, table }: Place, connection: TicketingConnection): ConnectionView {
  const { polledAt: _polledAt, pollAt: _pollAt, ...shown } = connection;
  const own = encodeId({ organizationId: table.organizationId, id: connection.id });
  return { ...shown, webhookUrl: `${settings.BASE_URL}/api/v1/webhooks/ticketing?connection=${own}` };
}

const sealed = ({ connections, table }: Place, id: string, secret: IntegrationSecret) =>
  sealWrite(connections, table, { purpose: 'integration', id, secret });

/** @throws validation_failed */
function assertAccount({
  edition,
  access,
  account,
}: Pick<TicketingConnection, 'edition' | 'access' | 'account'>): void {
  if (edition === 'cloud' && access === 'token' && account === null)
    throw invalid('account', 'must be the mail address whose API token it is');
}

async function createConnection(call: Call<Routes['createTicketingConnection']>) {
  const { table, body } = call;
  const { token, ...given } = body;
  const { totalCount } = await table.list(ticketingConnections, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_CONNECTIONS) throw conflict(`An organization has at most ${MAX_CONNECTIONS} connections.`);
  const access = token ? ('token' as const) : ('none' as const);
  assertAccount({ ...body, access });
  const webhookSecret = newWebhookSecret();
  const [id = ''] = await table.reserve(ticketingConnections, 1);
  const times = { lastDeliveryAt: null, lastSyncAt: null, polledAt: null, secretUpdatedAt: now() };
  const draft = { ...given, ...times, id, access, status: statusOf(body.enabled), error: null };
  const pollAt = nextPoll(draft);
  const batch = table.batch();
  const connection = batch.create(ticketingConnections, table.stamp<TicketingConnection>({ ...draft, pollAt }));
  const secret = { webhook: webhookSecret, ...(token && { access: { token } }) };
  batch.write(...pollWrites(table, undefined, connection), await sealed(call, id, secret));
  await batch.commit();
  return { ...show(call, await tried(call, connection)), webhookSecret };
}

/** Asks Jira for the first time. @returns the connection as it is then */
async function tried(place: Place, connection: TicketingConnection): Promise<TicketingConnection> {
  if (connection.access === 'none' || !connection.enabled) return connection;
  await testAccess(place, connection);
  return place.table.get(ticketingConnections, connection.id, true);
}

async function testAccess({ connections, table }: Place, connection: TicketingConnection) {
  try {
    const identity = await (await openJira(connections, table, connection)).whoAmI();
    await noteJira(table, connection.id, undefined);
    return { works: true, identity, error: null };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const { code, message } = error;
    if (code !== 'no_token') await noteJira(table, connection.id, { code, message });
    return { works: false, identity: null, error: { code, message } };
  }
}

async function updateConnection(call: Call<Routes['updateTicketingConnection']>) {
  const { table, params, body, ifMatch } = call;
  const { token, ...patch } = body;
  const standing = await table.get(ticketingConnections, params.id, true);
  const wanted = mergePatch(ConnectionView, show(call, standing), { patch, ifMatch });
  if (!wanted && token === undefined) return show(call, standing);
  const next = changedBy(table, standing, { wanted: wanted ?? {}, token });
  const batch = table.batch();
  const updated = batch.update(ticketingConnections, standing, next);
  batch.write(...pollWrites(table, standing, next));
  if (token !== undefined) batch.write(await withToken(call, params.id, token));
  await batch.commit();
  const isTried = token !== undefined || wanted?.enabled === true;
  return show(call, isTried ? await tried(call, updated) : updated);
}

type Changes = { wanted: Partial<ConnectionView>; token: string | null | undefined };

function changedBy(table: Table, standing: TicketingConnection, { wanted, token }: Changes): TicketingConnection {
  const { webhookUrl: _webhookUrl, ...changes } = wanted;
  const access = token === undefined ? standing.access : token === null ? 'none' : 'token';
  const isMended = changes.enabled !== undefined || token !== undefined;
  const enabled = changes.enabled ?? standing.enabled;
  const next = { ...standing, ...changes, access, ...(isMended && { status: statusOf(enabled), error: null }) };
  assertAccount(next);
  return table.changed<TicketingConnection, never>(standing, { ...next, pollAt: nextPoll(next) });
}

async function withToken(place: Place, id: string, token: string | null) {
  const { access: _former, ...secret } = await secretOf(place, id);
  return sealed(place, id, { ...secret, ...(token !== null && { access: { token } }) });
}

async function secretOf({ connections, table }: Place, id: string): Promise<IntegrationSecret> {
  const secret = await readSecret(connections, table, id);
  if (!secret) throw notFound('ticketing-connection', id);
  return secret;
}

async function deleteConnection({ table, params: { id } }: Call<Routes['deleteTicketingConnection']>) {
  const connection = await table.get(ticketingConnections, id, true);
  const rules = await recordsAt(table, ticketRules, await ordinalsOf(table, ticketRules, {}));
  const users = rules.filter(({ connectionId }) => connectionId === id);
  if (users.length > 0)
    throw conflict(
      'Rules open tickets there: change or delete them first.',
      users.map((rule) => ({ path: `/api/v1/ticketing/rules/${rule.id}`, message: rule.name })),
    );
  const batch = table.batch();
  batch.delete(ticketingConnections, connection);
  batch.write(removeSecret(table, id), ...pollWrites(table, connection, undefined));
  await batch.commit();
  return { id, deletedAt: now() };
}

async function rotateSecret(call: Call<Routes['rotateTicketingSecret']>) {
  const { table, params, body } = call;
  const connection = await table.get(ticketingConnections, params.id, true);
  const secret = rotated(await secretOf(call, params.id), body.overlapSeconds);
  const batch = table.batch();
  const next = table.changed<TicketingConnection, never>(connection, { secretUpdatedAt: now() });
  batch.update(ticketingConnections, connection, next);
  batch.write(await sealed(call, params.id, secret));
  await batch.commit();
  return { webhookSecret: secret.webhook, previousWorksUntil: secret.former?.until ?? null };
}

const statusOf = (enabled: boolean): TicketingConnection['status'] => (enabled ? 'connected' : 'disabled');

export const ticketingConnectionHandlers: Handlers<Routes> = {
  listTicketingConnections: (call) =>
    showEach(call.table.list(ticketingConnections, call.query), (connection) => show(call, connection)),
  createTicketingConnection: createConnection,
  getTicketingConnection: async (call) => show(call, await call.table.get(ticketingConnections, call.params.id)),
  updateTicketingConnection: updateConnection,
  deleteTicketingConnection: deleteConnection,
  rotateTicketingSecret: rotateSecret,
  testTicketingConnection: async (call) =>
    testAccess(call, await call.table.get(ticketingConnections, call.params.id, true)),

  async listTicketingDeliveries({ table, params: { id }, query }) {
    await table.get(ticketingConnections, id);
    return listDeliveries({ table, integrationId: id, as: TicketDelivery }, query);
  },
  replayTicketingDelivery: ({ connections, table, params: { id, deliveryId } }) =>
    replay({ connections, table }, { integrationId: id, deliveryId }),
};
