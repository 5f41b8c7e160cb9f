import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { fitsExactly } from '#shared/platform/runtime/wildcard.ts';
import type { Client } from '../support/client.ts';
import { documentedEvents } from '../support/documented-events.ts';
import {
  BEGIN,
  billingSender,
  checkoutOf,
  customerOf,
  eventOf,
  invoiceOf,
  subscriptionOf,
  summaryOf,
} from '../support/stripe.ts';
import { startSystem } from '../support/system.ts';
import { until } from '../support/wait.ts';

const system = startSystem();
const { send } = billingSender(system);
let staff: Client;
beforeAll(async () => {
  staff = await (await system.newOrganization()).withRole('platform_owner');
});

/** The types of all events, as the vendor's package has them. */
const declared = readFileSync(new URL('../../node_modules/stripe/esm/resources/Events.d.ts', import.meta.url), 'utf8');
const types = [...new Set([...declared.matchAll(/\btype: '([a-z\d_.]+)'/g)].map(([, type]) => type ?? ''))].sort();

/** The kinds with an effect, by the table of the documentation. */
const documented = [...documentedEvents('billing.md').keys()].filter((name) => name.includes('.'));
const isDocumented = (type: string) => documented.some((pattern) => fitsExactly(pattern, type));

/** An object as events of the type have it, of a customer of its own: what is told of him is news. */
function objectOf(type: string, organizationId: string): object {
  const customer = `cus_${newId()}`;
  const [family = ''] = type.split('.');
  if (type.startsWith('customer.subscription.'))
    return subscriptionOf({ id: `sub_${customer}`, customer, organizationId, status: 'active' });
  if (/^customer\.[a-z]+$/.test(type)) return customerOf({ customer, organizationId });
  if (family === 'invoice') return invoiceOf({ id: `in_${customer}`, customer, status: 'open', created: BEGIN });
  if (family === 'checkout') return checkoutOf(customer, organizationId);
  if (family === 'entitlements') return summaryOf(customer, ['sso']);
  return { id: newId(), object: type.split('.').slice(0, -1).join('.'), customer };
}

/** The fact that an event of a documented type tells. */
function factOf(type: string): string {
  if (type.startsWith('customer.subscription.')) return 'subscription_kept';
  return `${type.split('.')[0]}_kept`;
}

async function worked(before?: string): Promise<Awaited<ReturnType<typeof page>>['data']> {
  const { data, next } = await page(before);
  return next ? [...data, ...(await worked(next))] : data;
}
const page = (before?: string) =>
  staff.ok('listBillingDeliveries', { query: { limit: 100, ...(before && { before }) } });

test('every type of event that Stripe has is taken and worked, and those that the documentation names have an effect', async () => {
  expect(types.length).toBeGreaterThan(250);
  expect(documented.filter((pattern) => !types.some((type) => fitsExactly(pattern, type)))).toEqual([]);
  const { organizationId } = await system.newOrganization();
  const events = types.map((type, n) => eventOf(type, BEGIN + n, objectOf(type, organizationId)));
  for (const event of events) expect([event.type, (await send(event)).status]).toEqual([event.type, 200]);
  const ids = new Set(events.map(({ id }) => id));
  const all = await until(
    async () => (await worked()).filter(({ deliveryId }) => ids.has(deliveryId)),
    (some) =>
      some.length === events.length && some.every(({ status }) => status === 'succeeded' || status === 'failed'),
  );
  const outcomes = all.map(({ event, status, outcome }) => [event, status, outcome?.outcome, outcome?.effects[0]]);
  expect(outcomes.toSorted()).toEqual(
    types.map((type) => [
      ...[type, 'succeeded'],
      ...(isDocumented(type) ? ['handled', factOf(type)] : ['ignored', undefined]),
    ]),
  );
});
