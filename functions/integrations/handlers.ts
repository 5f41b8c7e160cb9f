import { encodeId } from '#shared/auth/token-format.ts';
import { sealWrite } from '#shared/credentials/sealed.ts';
import { type Integration, integrations } from '#shared/entities/integration.ts';
import { showEach } from '#shared/http/pagination.ts';
import { mergePatch } from '#shared/http/records.ts';
import type { Call, Handlers } from '#shared/http/route.ts';
import { type IntegrationSecret, newWebhookSecret, readSecret, rotated } from '#shared/integrations/secret.ts';
import { putSource } from '#shared/integrations/sources.ts';
import { now } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { notFound } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';
import { listDeliveries, replay } from './deliveries.ts';
import { disconnect } from './disconnect.ts';
import { type IntegrationView, type integrationRoutes, IntegrationView as Shown } from './routes.ts';

type Place = { connections: Connections; table: Table };

const show = ({ connections: { settings }, table }: Place, integration: Integration): IntegrationView => ({
  ...integration,
  webhookUrl: `${settings.BASE_URL}/api/v1/webhooks/${integration.kind}?integration=${encodeId({ organizationId: table.organizationId, id: integration.id })}`,
});

const sealed = ({ connections, table }: Place, id: string, secret: IntegrationSecret) =>
  sealWrite(connections, table, { purpose: 'integration', id, secret });

async function createIntegration(call: Call<typeof integrationRoutes.createIntegration>) {
  const { table, body } = call;
  const [id = ''] = await table.reserve(integrations, 1);
  const webhookSecret = newWebhookSecret();
  const state = { status: statusOf(body.enabled), error: null, lastDeliveryAt: null };
  const batch = table.batch();
  const draft = { ...body, ...state, id, secretUpdatedAt: now() };
  const integration = batch.create(integrations, table.stamp<Integration>(draft));
  batch.write(putSource(table, integration), await sealed(call, id, { webhook: webhookSecret }));
  await batch.commit();
  return { ...show(call, integration), webhookSecret };
}

async function rotateWebhookSecret(call: Call<typeof integrationRoutes.rotateWebhookSecret>) {
  const { connections, table, params, body } = call;
  const integration = await table.get(integrations, params.id, true);
  const standing = await readSecret(connections, table, params.id);
  if (!standing) throw notFound('integration', params.id);
  const secret = rotated(standing, body.overlapSeconds);
  const batch = table.batch();
  batch.update(integrations, integration, table.changed(integration, { secretUpdatedAt: now() }));
  batch.write(await sealed(call, params.id, secret));
  await batch.commit();
  return { webhookSecret: secret.webhook, previousWorksUntil: secret.former?.until ?? null };
}

export const integrationHandlers: Handlers<typeof integrationRoutes> = {
  listIntegrations: (call) =>
    showEach(call.table.list(integrations, call.query), (integration) => show(call, integration)),
  createIntegration,
  getIntegration: async (call) => show(call, await call.table.get(integrations, call.params.id)),

  async updateIntegration(call) {
    const { table, params, body, ifMatch } = call;
    const updated = await table.modify(integrations, params.id, (integration) => {
      const wanted = mergePatch(Shown, show(call, integration), { patch: body, ifMatch });
      if (!wanted) return undefined;
      const { webhookUrl: _webhookUrl, ...changes } = wanted;
      return { ...changes, ...(changes.enabled !== undefined && { status: statusOf(changes.enabled) }) };
    });
    return show(call, updated);
  },

  deleteIntegration: ({ table, params }) => disconnect(table, params.id),
  rotateWebhookSecret,
  listDeliveries: ({ table, params, query }) => listDeliveries(table, params.id, query),
  replayDelivery: ({ connections, table, params }) => replay({ connections, table }, params),
};

const statusOf = (enabled: boolean): Integration['status'] => (enabled ? 'connected' : 'disabled');
