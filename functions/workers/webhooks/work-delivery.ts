import * as z from 'zod';
import { readBody } from '#shared/code/integrations/deliveries.ts';
import { noteDelivery } from '#shared/code/integrations/health.ts';
import { type CodeHost, hostOf, integrations } from '#shared/code/integrations/integration.ts';
import type { DeliveryResult } from '#shared/code/integrations/result.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { isObject, textAt } from '#shared/reports/readers/json.ts';
import type { EventHandlers } from './event.ts';
import { githubEvents } from './github.ts';
import { gitlabEvents } from './gitlab.ts';

const Input = z.object({ integrationId: z.uuid(), deliveryId: z.string(), event: z.string() });

const handlers: Record<CodeHost, EventHandlers> = { codehost_a: githubEvents, codehost_b: gitlabEvents };

/** Works an event that was kept. Each of its effects may be repeated. */
export async function workDelivery({ table, task, connections }: Work): Promise<DeliveryResult> {
  const { integrationId, deliveryId, event } = Input.parse(task.input);
  const integration = await table.find(integrations, integrationId, true);
  if (!integration) return { outcome: 'ignored', effects: [], reason: 'its integration was deleted' };
  const body = await readBody({ table, bucket: connections.bucket }, { integrationId, deliveryId });
  if (!isObject(body)) throw new TaskFailure('not_found', 'The event was kept for 30 days and is gone.');
  const { kind: vendor } = integration;
  const names = [`${event}.${textAt(body, 'action')}`, event];
  const name = names.find((one) => Object.hasOwn(handlers[vendor], one));
  const handle = name === undefined ? undefined : handlers[vendor][name];
  const hosted = { connections, table, integrationId, vendor, host: hostOf(integration), receivedAt: task.createdAt };
  const effect = handle ? await handle({ event, body, hosted, task }) : { ignored: `${event} changes nothing here` };
  await noteDelivery(table, integration);
  if ('ignored' in effect) return { outcome: 'ignored', effects: [], reason: effect.ignored };
  return { outcome: 'handled', effects: effect };
}
