import * as z from 'zod';
import { BILLING, readBody } from '#shared/code/integrations/deliveries.ts';
import type { DeliveryResult } from '#shared/code/integrations/result.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { isObject } from '#shared/reports/readers/json.ts';
import { keepFact, settleCustomer } from './keep-facts.ts';
import { factsIn } from './stripe.ts';

const Input = z.object({ deliveryId: z.string(), event: z.string() });

/** Works an event of the payment processor that was kept. Each of its effects may be repeated. */
export async function workBillingEvent({ table, task, connections }: Work): Promise<DeliveryResult> {
  const { deliveryId, event } = Input.parse(task.input);
  const body = await readBody({ table, bucket: connections.bucket }, { integrationId: BILLING, deliveryId });
  if (!isObject(body)) throw new TaskFailure('not_found', 'The event was kept for 30 days and is gone.');
  const reported = factsIn(body);
  if (!reported) return { outcome: 'ignored', effects: [], reason: `${event} changes nothing here` };
  const news: string[] = [];
  for (const fact of reported.facts) if (await keepFact(table, reported.customer, fact)) news.push(`${fact.kind}_kept`);
  // also without news: the worker before may have died between both
  const organizationId = await settleCustomer(table, reported.customer);
  if (!organizationId)
    return { outcome: 'handled', effects: news, reason: 'its customer names no organization so far' };
  return { outcome: 'handled', effects: [...news, 'account_kept'] };
}
