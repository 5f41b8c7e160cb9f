import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { receiveBilling } from '#functions/code/webhooks/receive-billing.ts';
import { billingAccounts } from '#shared/billing/account.ts';
import { BILLING } from '#shared/code/integrations/deliveries.ts';
import { countsOf } from '#shared/code/integrations/delivery-counts.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { readLimits } from '#shared/platform/quotas/limits.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { planOf, seeds, startFaultyWorld, stepsBetween, workAll } from '../../../support/fault-plan.ts';
import {
  BEGIN,
  checkoutOf,
  customerOf,
  eventOf,
  invoiceOf,
  type StripeEvent,
  signatureOf,
  subscriptionOf,
  summaryOf,
} from '../../../support/stripe.ts';

const SECRET = 'whsec_test';
const world = await startFaultyWorld();
afterAll(() => world.stop());
Object.assign(world.connections, { secrets: { get: async () => SECRET } });
const global = openTable(world.connections.dynamo, GLOBAL_SCOPE);

const Step = fc.record({
  kind: fc.constantFrom('state', 'state', 'state', 'grants', 'invoice', 'pay', 'move', 'unknown'),
  status: fc.constantFrom('trialing', 'active', 'past_due', 'unpaid', 'paused'),
  grants: fc.subarray(['linkTokens-3', 'openUploads-9', 'sso', 'audit']),
  first: fc.boolean(),
});
type Step = {
  kind: string;
  status: 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused';
  grants: string[];
  first: boolean;
};

/** The life of a customer, one event a second, with the state in which it ends. */
function lifeOf(steps: readonly Step[], { customer, ids }: { customer: string; ids: readonly [string, string] }) {
  const id = `sub_${customer}`;
  const state = {
    status: 'active',
    since: 0,
    grants: [] as string[],
    owner: 0,
    invoice: '',
    invoiceStatus: '',
    isOver: false,
  };
  const sent: StripeEvent[] = [
    eventOf('checkout.session.completed', BEGIN, checkoutOf(customer, ids[0])),
    eventOf('customer.subscription.created', BEGIN, subscriptionOf({ id, customer, status: 'active' })),
  ];
  for (const [n, { kind, status, grants, first }] of steps.entries()) {
    const at = BEGIN + 1 + n;
    const add = (type: string, object: object, before?: object) => void sent.push(eventOf(type, at, object, before));
    if (kind === 'state') {
      const before = status === state.status ? { quantity: 1 } : { status: state.status };
      if (status !== state.status) Object.assign(state, { status, since: at });
      add('customer.subscription.updated', subscriptionOf({ id, customer, status, from: at }), before);
    }
    if (kind === 'grants') add('entitlements.active_entitlement_summary.updated', summaryOf(customer, grants));
    if (kind === 'grants') state.grants = grants;
    if (kind === 'invoice') {
      Object.assign(state, { invoice: `in_${n}`, invoiceStatus: 'open', issued: at });
      add('invoice.finalized', invoiceOf({ id: `in_${n}`, customer, status: 'open', created: at }));
    }
    if (kind === 'pay' && state.invoice) {
      const created = Number(Reflect.get(state, 'issued'));
      state.invoiceStatus = 'paid';
      add('invoice.paid', invoiceOf({ id: state.invoice, customer, status: 'paid', created }));
    }
    if (kind === 'move') {
      state.owner = first ? 0 : 1;
      add('customer.updated', customerOf({ customer, organizationId: ids[state.owner] }));
    }
    if (kind === 'unknown') add('example.kind', { object: 'example', customer });
  }
  const isEntitled = ['active', 'trialing', 'past_due'].includes(state.status);
  return {
    sent,
    owner: state.owner,
    expected: {
      status: state.status,
      since: state.status === 'past_due' ? new Date(state.since * 1000).toISOString() : undefined,
      features: state.grants.filter((key) => !key.includes('-')).sort(),
      invoice: state.invoice ? [state.invoice.toUpperCase(), state.invoiceStatus] : undefined,
      linkTokens: isEntitled && state.grants.includes('linkTokens-3') ? 3 : 500,
    },
  };
}

async function stateOf(organizationId: string) {
  const table = openTable(world.connections.dynamo, organizationId);
  const [account, { linkTokens }] = await Promise.all([table.rows(billingAccounts).find({}, true), readLimits(table)]);
  const { status = 'none', grace, features = [], lastInvoice } = account ?? {};
  const invoice = lastInvoice ? [lastInvoice.number, lastInvoice.status] : undefined;
  return { status, since: grace?.since, features, invoice, linkTokens };
}

const NOTHING = { status: 'none', since: undefined, features: [], invoice: undefined, linkTokens: 500 };

const counts = async (): Promise<Record<string, number>> =>
  Object.fromEntries((await countsOf(global, BILLING)).map(({ value, count }) => [value, count]));

let attempts = 0;
/** Each attempt has a signature of its own, as the sender's have. */
function send(event: StripeEvent) {
  const text = JSON.stringify(event);
  const headers = { 'stripe-signature': signatureOf(text, SECRET, -(++attempts % 100)) };
  const request = { headers, bytes: Buffer.from(text) };
  const cause = { operation: 'receiveBillingEvent', requestId: event.id, ip: '192.0.2.1' };
  return receiveBilling({ connections: world.connections, cause, body: () => JSON.parse(text), request });
}

test.each(seeds)(
  'plan %i: events of payments in any order, some twice, with faults and kills, end in the state that they tell',
  async (seed) => {
    const plan = planOf(seed);
    const [steps = []] = fc.sample(fc.array(Step, stepsBetween(15, 30)), { seed, numRuns: 1 });
    const [first, second] = [
      await global.create(organizations, { name: 'First' }),
      await global.create(organizations, { name: 'Second' }),
    ];
    const ids = [first.id, second.id] as const;
    const { sent, owner, expected } = lifeOf(steps, { customer: `cus_${first.id}`, ids });
    const counted = await counts();
    const twice = sent.filter(() => plan.random() < 0.3);
    const shuffled = [...sent, ...twice].map((one) => [plan.random(), one] as const).toSorted(([a], [b]) => a - b);
    for (const [, one] of shuffled) {
      world.begin(plan);
      // the processor sends it again until it is taken
      while (!(await world.call(plan, () => send(one)))) world.begin({ ...plan, rates: {} });
      if (plan.random() < 0.5) await world.deliverNext(plan, 0.5);
    }
    await workAll(world, plan);
    expect(await stateOf(ids[owner] ?? '')).toEqual(expected);
    expect(await stateOf(ids[1 - owner] ?? '')).toEqual(NOTHING);
    const now = await counts();
    for (const type of new Set(sent.map((event) => event.type)))
      expect([type, (now[type] ?? 0) - (counted[type] ?? 0)]).toEqual([
        type,
        sent.filter((event) => event.type === type).length,
      ]);
  },
);
