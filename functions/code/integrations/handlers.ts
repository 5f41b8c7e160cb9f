import { queueSync } from '#shared/code/code-hosts/sync.ts';
import { rotateSecret, sealAccess, sealSecret, statusOf } from '#shared/code/integrations/connected.ts';
import { countsOf } from '#shared/code/integrations/delivery-counts.ts';
import { listDeliveries, readDelivery } from '#shared/code/integrations/delivery-list.ts';
import { noteHost } from '#shared/code/integrations/health.ts';
import { type Integration, integrations } from '#shared/code/integrations/integration.ts';
import { replay } from '#shared/code/integrations/replay.ts';
import { newWebhookSecret } from '#shared/code/integrations/secret.ts';
import { putSource } from '#shared/code/integrations/sources.ts';
import { encodeId } from '#shared/platform/auth/token-format.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { where } from '#shared/platform/table/match.ts';
import { accessIn, accessKind, testAccess } from './access.ts';
import { disconnect } from './disconnect.ts';
import { machineHandlers } from './machine-handlers.ts';
import { type IntegrationView, type integrationRoutes, IntegrationView as Shown, WorkedDelivery } from './routes.ts';

const show = ({ connections: { settings }, table }: Context, integration: Integration): IntegrationView => {
  const { syncTaskId: _syncTaskId, ...shown } = integration;
  const own = encodeId({ organizationId: table.organizationId, id: integration.id });
  return { ...shown, webhookUrl: `${settings.BASE_URL}/api/v1/webhooks/${integration.kind}?integration=${own}` };
};

async function createIntegration(call: Call<typeof integrationRoutes.createIntegration>) {
  const { table, body } = call;
  const { token, app, ...given } = body;
  const access = accessIn(body.kind, { token, app }) ?? null;
  const [id = ''] = await table.reserve(integrations, 1);
  const webhookSecret = newWebhookSecret();
  const state = { status: statusOf(body.enabled), error: null, lastDeliveryAt: null, lastSyncAt: null };
  const draft = { ...given, ...state, id, access: accessKind(access), syncTaskId: null, secretUpdatedAt: now() };
  const secret = { webhook: webhookSecret, ...(access && { access }) };
  const integration = await table.create(integrations, draft, async (batch, made) =>
    batch.write(putSource(table, made), await sealSecret(call, id, secret)),
  );
  return { ...show(call, await tryAccess(call, integration)), webhookSecret };
}

/** Asks the code host for the first time, and for the repositories where it answers. @returns the integration as it is then */
async function tryAccess({ connections, table }: Context, integration: Integration): Promise<Integration> {
  const { id, access, enabled } = integration;
  if (access === 'none' || !enabled) return integration;
  const { works } = await testAccess({ connections, table }, integration);
  if (works) await queueSync({ connections, table }, id);
  return table.get(integrations, id, true);
}

async function updateIntegration(call: Call<typeof integrationRoutes.updateIntegration>) {
  const { table, params, body, ifMatch } = call;
  const { token, app, ...patch } = body;
  const current = await table.get(integrations, params.id, true);
  const wanted = mergePatch(Shown, show(call, current), { patch, ifMatch });
  const access = accessIn(current.kind, { token, app });
  if (!wanted && access === undefined) return show(call, current);
  const { webhookUrl: _webhookUrl, ...changes } = wanted ?? {};
  const next = table.changed(current, {
    ...changes,
    ...(changes.enabled !== undefined && { status: statusOf(changes.enabled), error: null }),
    ...(access !== undefined && { access: accessKind(access) }),
  });
  const batch = table.batch();
  const updated = batch.update(integrations, current, next);
  if (access !== undefined) batch.write(await sealAccess(call, { entity: integrations, id: params.id }, access));
  await batch.commit();
  if (access === null) await noteHost(table, updated, undefined);
  const isTried = access !== undefined || changes.enabled === true;
  return show(call, isTried ? await tryAccess(call, await table.get(integrations, updated.id, true)) : updated);
}

export const integrationHandlers: Handlers<typeof integrationRoutes> = {
  ...machineHandlers,
  listIntegrations: ({ query: { kind, ...range }, ...call }) =>
    showEach(call.table.list(integrations, { ...range, ...where({ kind }) }), (integration) => show(call, integration)),
  createIntegration,
  getIntegration: async (call) => show(call, await call.table.get(integrations, call.params.id)),

  updateIntegration,
  deleteIntegration: ({ table, params }) => disconnect(table, params.id),
  rotateWebhookSecret: (call) =>
    rotateSecret(call, { entity: integrations, id: call.params.id }, call.body.overlapSeconds),
  testIntegration: async ({ connections, table, params }) =>
    testAccess({ connections, table }, await table.get(integrations, params.id, true)),

  async syncIntegration({ connections, table, params }) {
    const { enabled, access } = await table.get(integrations, params.id, true);
    if (!enabled) throw conflict('The integration is disabled: set `enabled` to true first.');
    if (access === 'none')
      throw conflict('The integration has no access to its code host: give it a `token` or an `app` first.');
    return queueSync({ connections, table }, params.id);
  },

  async listDeliveries({ table, params: { id }, query }) {
    const page = await listDeliveries({ table, integrationId: id, as: WorkedDelivery }, query);
    if (page.data.length === 0) await table.get(integrations, id);
    return page;
  },
  getDelivery: ({ table, params: { id, deliveryId } }) =>
    readDelivery({ table, integrationId: id, as: WorkedDelivery }, deliveryId),
  async countDeliveries({ table, params: { id } }) {
    await table.get(integrations, id);
    return countsOf(table, id);
  },
  replayDelivery: ({ connections, table, params: { id, deliveryId } }) =>
    replay({ connections, table }, { integrationId: id, deliveryId }),
};
