import { rotateSecret, sealAccess, sealSecret, statusOf, tryAccess } from '#shared/code/integrations/connected.ts';
import { listDeliveries, readDelivery } from '#shared/code/integrations/delivery-list.ts';
import { replay } from '#shared/code/integrations/replay.ts';
import { newWebhookSecret } from '#shared/code/integrations/secret.ts';
import { removeSecret } from '#shared/credentials/sealed.ts';
import { encodeId } from '#shared/platform/auth/token-format.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict, fixedLimit, invalid } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { MAX_CONNECTIONS } from '#shared/ticketing/connections.ts';
import { noteJira } from '#shared/ticketing/health.ts';
import { openJira } from '#shared/ticketing/open.ts';
import { nextPoll, pollWrites } from '#shared/ticketing/poll-timer.ts';
import { ticketRules } from '#shared/ticketing/ticket-rule.ts';
import { type TicketingConnection, ticketingConnections } from '#shared/ticketing/ticketing-connection.ts';
import { ConnectionView, TicketDelivery, type ticketingConnectionRoutes } from './routes.ts';

type Routes = typeof ticketingConnectionRoutes;

function show({ connections: { settings }, table }: Context, connection: TicketingConnection): ConnectionView {
  const { polledAt: _polledAt, pollAt: _pollAt, ...shown } = connection;
  const own = encodeId({ organizationId: table.organizationId, id: connection.id });
  return { ...shown, webhookUrl: `${settings.BASE_URL}/api/v1/webhooks/ticketing?connection=${own}` };
}

/** @throws validation_failed */
function assertAccount({
  edition,
  access,
  account,
}: Pick<TicketingConnection, 'edition' | 'access' | 'account'>): void {
  if (edition === 'cloud' && access === 'token' && account === null)
    throw invalid('account', 'must be the mail address of the owner of the API token');
}

async function createConnection(call: Call<Routes['createTicketingConnection']>) {
  const { table, body } = call;
  const { token, ...given } = body;
  const { totalCount } = await table.list(ticketingConnections, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_CONNECTIONS) throw fixedLimit('An organization', MAX_CONNECTIONS, 'connections');
  const access = token ? ('token' as const) : ('none' as const);
  assertAccount({ ...body, access });
  const webhookSecret = newWebhookSecret();
  const [id = ''] = await table.reserve(ticketingConnections, 1);
  const times = { lastDeliveryAt: null, lastSyncAt: null, polledAt: null, secretUpdatedAt: now() };
  const draft = { ...given, ...times, id, access, status: statusOf(body.enabled), error: null };
  const pollAt = nextPoll(draft);
  const secret = { webhook: webhookSecret, ...(token && { access: { token } }) };
  const connection = await table.create(ticketingConnections, { ...draft, pollAt }, async (batch, made) =>
    batch.write(...pollWrites(table, undefined, made), await sealSecret(call, id, secret)),
  );
  return { ...show(call, await tried(call, connection)), webhookSecret };
}

/** Asks Jira for the first time. @returns the connection as it is then */
async function tried(context: Context, connection: TicketingConnection): Promise<TicketingConnection> {
  if (connection.access === 'none' || !connection.enabled) return connection;
  await testAccess(context, connection);
  return context.table.get(ticketingConnections, connection.id, true);
}

async function testAccess({ connections, table }: Context, connection: TicketingConnection) {
  const tried = await tryAccess({
    ask: async () => (await openJira({ connections, table }, connection)).whoAmI(),
    note: (problem) => noteJira(table, connection.id, problem),
  });
  return 'answer' in tried
    ? { works: true, identity: tried.answer, error: null }
    : { works: false, identity: null, error: tried.error };
}

async function updateConnection(call: Call<Routes['updateTicketingConnection']>) {
  const { table, params, body, ifMatch } = call;
  const { token, ...patch } = body;
  const current = await table.get(ticketingConnections, params.id, true);
  const wanted = mergePatch(ConnectionView, show(call, current), { patch, ifMatch });
  if (!wanted && token === undefined) return show(call, current);
  const next = changedBy(table, current, { wanted: wanted ?? {}, token });
  const batch = table.batch();
  const updated = batch.update(ticketingConnections, current, next);
  batch.write(...pollWrites(table, current, next));
  if (token !== undefined)
    batch.write(
      await sealAccess(call, { entity: ticketingConnections, id: params.id }, token === null ? null : { token }),
    );
  await batch.commit();
  const isTried = token !== undefined || wanted?.enabled === true;
  return show(call, isTried ? await tried(call, updated) : updated);
}

type Changes = { wanted: Partial<ConnectionView>; token: string | null | undefined };

function changedBy(table: Table, current: TicketingConnection, { wanted, token }: Changes): TicketingConnection {
  const { webhookUrl: _webhookUrl, ...changes } = wanted;
  const access = token === undefined ? current.access : token === null ? 'none' : 'token';
  const isMended = changes.enabled !== undefined || token !== undefined;
  const enabled = changes.enabled ?? current.enabled;
  const next = { ...current, ...changes, access, ...(isMended && { status: statusOf(enabled), error: null }) };
  assertAccount(next);
  return table.changed<TicketingConnection, never>(current, { ...next, pollAt: nextPoll(next) });
}

async function deleteConnection({ table, params: { id } }: Call<Routes['deleteTicketingConnection']>) {
  const connection = await table.get(ticketingConnections, id, true);
  const rules = await recordsOf(table, ticketRules);
  const users = rules.filter(({ connectionId }) => connectionId === id);
  if (users.length > 0)
    throw conflict(
      'Rules open tickets there: change or delete them first.',
      users.map((rule) => ({ path: `/api/v1/ticketing/rules/${rule.id}`, message: rule.name })),
    );
  return table.delete(ticketingConnections, connection, (batch) =>
    batch.write(removeSecret(table, id), ...pollWrites(table, connection, undefined)),
  );
}

export const ticketingConnectionHandlers: Handlers<Routes> = {
  listTicketingConnections: (call) =>
    showEach(call.table.list(ticketingConnections, call.query), (connection) => show(call, connection)),
  createTicketingConnection: createConnection,
  getTicketingConnection: async (call) => show(call, await call.table.get(ticketingConnections, call.params.id)),
  updateTicketingConnection: updateConnection,
  deleteTicketingConnection: deleteConnection,
  rotateTicketingSecret: (call) =>
    rotateSecret(call, { entity: ticketingConnections, id: call.params.id }, call.body.overlapSeconds),
  testTicketingConnection: async (call) =>
    testAccess(call, await call.table.get(ticketingConnections, call.params.id, true)),

  async listTicketingDeliveries({ table, params: { id }, query }) {
    await table.get(ticketingConnections, id);
    return listDeliveries({ table, integrationId: id, as: TicketDelivery }, query);
  },
  getTicketingDelivery: ({ table, params: { id, deliveryId } }) =>
    readDelivery({ table, integrationId: id, as: TicketDelivery }, deliveryId),
  replayTicketingDelivery: ({ connections, table, params: { id, deliveryId } }) =>
    replay({ connections, table }, { integrationId: id, deliveryId }),
};
