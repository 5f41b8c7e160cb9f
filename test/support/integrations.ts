import { randomBytes } from 'node:crypto';
import { type Integration, integrations } from '#shared/code/integrations/integration.ts';
import type { IntegrationSecret } from '#shared/code/integrations/secret.ts';
import { putSource } from '#shared/code/integrations/sources.ts';
import { sealWrite } from '#shared/credentials/sealed.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Draft } from '#shared/platform/table/table.ts';

/** Gives a world without a secret store the key of sealed values. */
export function giveSealingKey(connections: Connections): void {
  const key = { kid: 'test', key: randomBytes(32).toString('base64url'), from: '2026-01-01T00:00:00.000Z' };
  Object.assign(connections, { secrets: { get: async () => JSON.stringify({ keys: [key] }) } });
}

/** A connected account of a code host, without asking it. */
export async function makeIntegration(
  { connections, table }: Context,
  secret: IntegrationSecret,
  more: Partial<Draft<Integration>> = {},
): Promise<Integration> {
  const state = { status: 'connected', error: null, lastDeliveryAt: null, secretUpdatedAt: now() } as const;
  const named = { kind: 'codehost_a', name: 'Hub', account: 'octo-shop', baseUrl: null, enabled: true } as const;
  const asks = { access: 'none', lastSyncAt: null, syncTaskId: null } as const;
  const [id = ''] = await table.reserve(integrations, 1);
  const batch = table.batch();
  const draft = { ...named, ...state, ...asks, ...more, id };
  const integration = batch.create(integrations, table.stamp<Integration>(draft));
  const sealed = await sealWrite({ connections, table }, { purpose: 'integration', id, secret });
  batch.write(putSource(table, integration), sealed);
  await batch.commit();
  return integration;
}
