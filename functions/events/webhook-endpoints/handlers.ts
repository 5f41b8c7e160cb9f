import { rotateSecret, sealSecret } from '#shared/code/integrations/connected.ts';
import { newWebhookSecret, readSecret, signingKeys } from '#shared/code/integrations/secret.ts';
import { removeSecret } from '#shared/credentials/sealed.ts';
import { callEndpoint } from '#shared/events/call-endpoint.ts';
import { testEvent } from '#shared/events/event.ts';
import { statusOf } from '#shared/events/health.ts';
import { withFilter } from '#shared/events/matching.ts';
import { type Position, positionRemoval, positions, positionWrites } from '#shared/events/position.ts';
import { newSigningKeys } from '#shared/events/signature.ts';
import { wakeEndpoint } from '#shared/events/wake.ts';
import { MAX_ENDPOINTS, webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { readHead } from '#shared/platform/feed/log.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { reachOf } from '#shared/platform/outgoing/ask.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { fixedLimit, invalid, notFound } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { EndpointView, type webhookEndpointRoutes } from './routes.ts';

type Routes = typeof webhookEndpointRoutes;

async function createEndpoint(call: Call<Routes['createWebhookEndpoint']>) {
  const { table } = call;
  const body = await withFilter(table, call.body);
  const { totalCount } = await table.list(webhookEndpoints, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_ENDPOINTS) throw fixedLimit('An organization', MAX_ENDPOINTS, 'webhook endpoints');
  const webhookSecret = newWebhookSecret();
  const { signing, publicKey } = newSigningKeys();
  const [id = ''] = await table.reserve(webhookEndpoints, 1);
  await numberChanges(table);
  const { next } = await readHead(table);
  const draft = { ...body, id, status: statusOf(body.enabled), error: null, secretUpdatedAt: now(), publicKey };
  const endpoint = await table.create(webhookEndpoints, draft, async (batch) =>
    batch.write(
      await sealSecret(call, id, { webhook: webhookSecret, signing }),
      putWrite(table.tenant, positions, { row: { readerId: id, seen: next - 1, failures: 0 } }),
    ),
  );
  return { ...endpoint, webhookSecret };
}

async function updateEndpoint(call: Call<Routes['updateWebhookEndpoint']>) {
  const { table, params, body, ifMatch } = call;
  const current = await table.get(webhookEndpoints, params.id, true);
  const changes = mergePatch(EndpointView, current, { patch: body, ifMatch });
  if (!changes) return current;
  const { enabled, matching } = await withFilter(table, { ...current, ...changes }, body);
  const position = await positionOf(table, current.id);
  const next = { ...changes, matching, status: statusOf(enabled), error: null };
  const updated = await table.update(webhookEndpoints, current, next, (batch) =>
    batch.write(...positionWrites(table, position, { failures: 0, failingSince: undefined, retryAt: undefined })),
  );
  if (enabled) await wakeEndpoint(call, current.id);
  return updated;
}

/** @throws not_found */
async function positionOf(table: Table, readerId: string): Promise<Position> {
  const position = await table.rows(positions).find({ readerId }, true);
  if (!position) throw notFound(webhookEndpoints.name, readerId);
  return position;
}

async function deleteEndpoint({ table, params: { id } }: Call<Routes['deleteWebhookEndpoint']>) {
  const endpoint = await table.get(webhookEndpoints, id, true);
  const position = await positionOf(table, id);
  return table.delete(webhookEndpoints, endpoint, (batch) =>
    batch.write(removeSecret(table, id), ...positionRemoval(table, position)),
  );
}

async function testEndpoint(call: Call<Routes['testWebhookEndpoint']>) {
  const { connections, table } = call;
  const { id, url } = await table.get(webhookEndpoints, call.params.id, true);
  const event = testEvent(table.organizationId, id);
  const secret = await secretsOf(call, id);
  const { network } = reachOf(connections);
  const sent = { network, url, secrets: secret, eventId: event.id, body: JSON.stringify(event) };
  const { at, status, error, milliseconds } = await callEndpoint(sent);
  return { at, status, error, milliseconds };
}

async function secretsOf(context: Context, id: string): Promise<string[]> {
  const secret = await readSecret(context, id);
  return secret ? signingKeys(secret) : [];
}

async function sendAgain(call: Call<Routes['sendEventsAgain']>) {
  const { table, params, body } = call;
  const endpoint = await table.get(webhookEndpoints, params.id, true);
  const position = await positionOf(table, endpoint.id);
  if (body.since > position.seen)
    throw invalid('since', `must be at most ${position.seen}: the events after that number are not sent yet`);
  const changes = { seen: body.since, failures: 0, failingSince: undefined, retryAt: undefined, againFrom: now() };
  await table.write(...positionWrites(table, position, changes));
  if (endpoint.enabled) await wakeEndpoint(call, endpoint.id);
  return endpoint;
}

export const webhookEndpointHandlers: Handlers<Routes> = {
  listWebhookEndpoints: ({ table, query }) => table.list(webhookEndpoints, query),
  createWebhookEndpoint: createEndpoint,
  getWebhookEndpoint: ({ table, params }) => table.get(webhookEndpoints, params.id),
  updateWebhookEndpoint: updateEndpoint,
  deleteWebhookEndpoint: deleteEndpoint,
  rotateWebhookEndpointSecret: (call) =>
    rotateSecret(call, { entity: webhookEndpoints, id: call.params.id }, call.body.overlapSeconds),
  testWebhookEndpoint: testEndpoint,
  sendEventsAgain: sendAgain,
};
