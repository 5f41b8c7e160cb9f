import { sealSecret } from '#shared/code/integrations/connected.ts';
import { newWebhookSecret } from '#shared/code/integrations/secret.ts';
import { positions } from '#shared/events/position.ts';
import { type WebhookEndpoint, webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';

/** An endpoint at an address where nobody answers, with its own creation as the first event. */
export async function makeEndpoint({ connections, table }: Context): Promise<WebhookEndpoint> {
  const [id = ''] = await table.reserve(webhookEndpoints, 1);
  const draft = { id, name: 'Hooks', url: 'http://127.0.0.1:1/', types: ['webhook_endpoint.created'], matching: null };
  const state = { enabled: true, status: 'active', error: null, secretUpdatedAt: now(), publicKey: null } as const;
  return table.create(webhookEndpoints, { ...draft, ...state }, async (batch) =>
    batch.write(
      await sealSecret({ connections, table }, id, { webhook: newWebhookSecret() }),
      putWrite(table.tenant, positions, { row: { readerId: id, seen: 0, failures: 0 } }),
    ),
  );
}
