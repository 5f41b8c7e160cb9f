import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Client } from '../support/client.ts';
import {
  BEGIN,
  billingSender,
  checkoutOf,
  customerOf,
  eventOf,
  invoiceOf,
  isSignedForStripe,
  type StripeEvent,
  signatureOf,
  subscriptionOf,
  summaryOf,
} from '../support/stripe.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { until } from '../support/wait.ts';

const system = startSystem();
const { send, secret } = billingSender(system);
let staff: Client;
beforeAll(async () => {
  staff = await (await system.newOrganization()).withRole('platform_owner');
});

const deliveries = async () => (await staff.ok('listBillingDeliveries', { query: { limit: 100 } })).data;
const find = async ({ id }: StripeEvent) => (await deliveries()).find(({ deliveryId }) => deliveryId === id);
const outcome = (event: StripeEvent) =>
  until(
    () => find(event),
    (one) => one?.status === 'succeeded' || one?.status === 'failed',
  );

/** Sends an event and waits for its end. */
async function tell(event: StripeEvent) {
  expect(await send(event)).toMatchObject({ status: 200, body: { deliveryId: event.id, duplicate: false } });
  return outcome(event);
}

const newCustomer = () => ({ customer: `cus_${newId()}`, id: `sub_${newId()}` });
const now = Math.floor(Date.now() / 1000);

/** An organization whose customer has a plan with a limit and a feature. */
async function subscribed() {
  const organization = await system.newOrganization();
  const { customer, id } = newCustomer();
  await tell(eventOf('customer.created', BEGIN, customerOf({ customer, organizationId: organization.organizationId })));
  await tell(eventOf('customer.subscription.created', BEGIN + 1, subscriptionOf({ id, customer, status: 'active' })));
  const summary = summaryOf(customer, ['linkTokens-1', 'sso']);
  await tell(eventOf('entitlements.active_entitlement_summary.updated', BEGIN + 2, summary));
  return { ...organization, customer, id };
}

const billingOf = ({ admin }: TestOrganization) => admin.ok('getBilling');
const linkTokens = async (organization: TestOrganization) =>
  (await billingOf(organization)).limits.find(({ name }) => name === 'linkTokens');
const takeLinkToken = ({ admin }: TestOrganization) =>
  admin.call('createLinkToken', { body: { kind: 'scanner', maxUses: 1 } });

test('an organization without a subscription has the default limits and no plan', async () => {
  const organization = await system.newOrganization();
  expect(await billingOf(organization)).toMatchObject({
    status: 'none',
    plan: null,
    period: null,
    grace: null,
    features: [],
    lastInvoice: null,
    asOf: null,
    notice: null,
  });
  expect(await linkTokens(organization)).toMatchObject({ limit: 500, source: 'default', used: 0 });
});

test('a plan that is bought grants its limits and features, which hold at once', async () => {
  const organization = await subscribed();
  const { customer } = organization;
  await tell(eventOf('invoice.paid', BEGIN + 3, invoiceOf({ id: 'in_1', customer, status: 'paid', created: BEGIN })));
  expect(await billingOf(organization)).toMatchObject({
    status: 'active',
    plan: { id: 'team', name: 'TEAM', quantity: 3 },
    grace: null,
    features: ['sso'],
    period: { from: '2026-11-01T08:00:00.000Z', to: '2026-12-01T08:00:00.000Z' },
    lastInvoice: { number: 'IN_1', status: 'paid', amountDue: 9900, currency: 'eur' },
    asOf: '2026-11-01T08:00:03.000Z',
  });
  expect((await takeLinkToken(organization)).status).toBe(200);
  expect(await takeLinkToken(organization)).toMatchObject({ status: 400, body: { code: 'limit_exceeded' } });
  expect(await linkTokens(organization)).toMatchObject({ limit: 1, source: 'plan', used: 1 });
  await staff.ok('updateOrganizationLimits', { params: { id: organization.organizationId }, body: { linkTokens: 7 } });
  expect(await linkTokens(organization)).toMatchObject({ limit: 7, source: 'provider' });
  expect((await takeLinkToken(organization)).status).toBe(200);
  const audit = () => organization.admin.ok('listAudit', { query: {} }).then((page) => JSON.stringify(page.data));
  await expect.poll(audit, { timeout: 15_000 }).toContain('billing-account');
  expect(await audit()).not.toContain('invoice.stripe.com');
});

test("after a failed payment the plan's limits apply until the announced time, and then the default limits", async () => {
  const organization = await subscribed();
  const { customer, id } = organization;
  const pastDue = (at: number, previous: object) =>
    eventOf('customer.subscription.updated', at, subscriptionOf({ id, customer, status: 'past_due' }), previous);
  const failed = now - 3600;
  // tells of the same state later: the grace began before
  await tell(pastDue(failed + 60, { latest_invoice: 'in_1' }));
  await tell(pastDue(failed, { status: 'active' }));
  const endsAt = new Date((failed + 14 * 86_400) * 1000).toISOString();
  const during = await billingOf(organization);
  expect(during).toMatchObject({ status: 'past_due', grace: { endsAt }, features: ['sso'] });
  expect(during.notice).toContain(endsAt);
  expect(await linkTokens(organization)).toMatchObject({ limit: 1, source: 'plan' });
  const again = eventOf(
    'customer.subscription.updated',
    failed + 90,
    subscriptionOf({ id, customer, status: 'active' }),
    { status: 'past_due' },
  );
  await tell(again);
  expect(await billingOf(organization)).toMatchObject({ status: 'active', grace: null, notice: null });
});

test('a grace that is over leaves the default limits', async () => {
  const organization = await subscribed();
  const { customer, id } = organization;
  const late = subscriptionOf({ id, customer, status: 'past_due' });
  const failed = now - 14 * 86_400 - 5;
  await tell(eventOf('customer.subscription.updated', failed, late, { status: 'active' }));
  expect(await billingOf(organization)).toMatchObject({ status: 'past_due', features: [] });
  expect(await linkTokens(organization)).toMatchObject({ limit: 500, source: 'default' });
  expect((await takeLinkToken(organization)).status).toBe(200);
  expect((await takeLinkToken(organization)).status).toBe(200);
});

test('an older event that comes later changes nothing, and a canceled subscription does not return', async () => {
  const organization = await subscribed();
  const { customer, id } = organization;
  const told = (type: string, at: number, status: 'active' | 'canceled') =>
    tell(eventOf(`customer.subscription.${type}`, at, subscriptionOf({ id, customer, status })));
  await told('deleted', BEGIN + 100, 'canceled');
  expect((await told('updated', BEGIN + 50, 'active'))?.outcome).toMatchObject({ effects: ['account_kept'] });
  await told('updated', BEGIN + 200, 'active');
  expect(await billingOf(organization)).toMatchObject({ status: 'canceled', features: [] });
  expect(await linkTokens(organization)).toMatchObject({ source: 'default' });
});

test('a purchase names the organization after its subscription came, and a customer may be given to another one', async () => {
  const [first, second] = [await system.newOrganization(), await system.newOrganization()];
  const { customer, id } = newCustomer();
  const early = eventOf('customer.subscription.created', BEGIN, subscriptionOf({ id, customer, status: 'active' }));
  expect((await tell(early))?.outcome).toMatchObject({ reason: expect.stringContaining('names no organization') });
  await tell(eventOf('checkout.session.completed', BEGIN + 1, checkoutOf(customer, first.organizationId)));
  expect(await billingOf(first)).toMatchObject({ status: 'active' });
  const given = customerOf({ customer, organizationId: second.organizationId });
  await tell(eventOf('customer.updated', BEGIN + 2, given, { metadata: {} }));
  expect(await billingOf(first)).toMatchObject({ status: 'none', plan: null });
  expect(await billingOf(second)).toMatchObject({ status: 'active', plan: { id: 'team' } });
  const nobody = customerOf({ customer, organizationId: newId() });
  await tell(eventOf('customer.updated', BEGIN + 3, nobody));
  expect(await billingOf(second)).toMatchObject({ status: 'none' });
});

test("nobody lowers an organization's plan by another purchase in its name", async () => {
  const organization = await subscribed();
  const { customer, id } = newCustomer();
  await tell(eventOf('checkout.session.completed', BEGIN + 9, checkoutOf(customer, organization.organizationId)));
  const small = subscriptionOf({ id, customer, status: 'incomplete', plan: 'small' });
  await tell(eventOf('customer.subscription.created', BEGIN + 9, small));
  expect(await billingOf(organization)).toMatchObject({ status: 'active', plan: { id: 'team' }, features: ['sso'] });
});

test('an event of a kind that changes nothing is kept, counted once and reported as ignored', async () => {
  const type = `example.kind_${now}`;
  const event = eventOf(type, BEGIN, { id: 'ex_1', object: 'example' });
  expect((await tell(event))?.outcome).toEqual({
    outcome: 'ignored',
    effects: [],
    reason: `${type} changes nothing here`,
  });
  expect(await send(event)).toMatchObject({ status: 200, body: { duplicate: true } });
  expect(await staff.ok('countBillingDeliveries')).toContainEqual({
    value: type,
    label: type,
    count: 1,
    links: { list: {} },
  });
  const params = { deliveryId: event.id };
  expect(await staff.ok('replayBillingDelivery', { params })).toMatchObject({ status: 'queued' });
  expect(await outcome(event)).toMatchObject({ status: 'succeeded', customer: null });
});

test.each([
  ['an id', { type: 'invoice.paid' }],
  ['a type', { id: 'evt_1' }],
  ['a type that is a text', { id: 'evt_1', type: { a: 1 } }],
])('a signed event without %s is refused and not kept', async (_, event) => {
  expect(await send(event)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
});

describe('an event that is not proven is answered with 401 and kept nowhere', () => {
  const event = () => JSON.stringify(eventOf('invoice.paid', BEGIN, { object: 'invoice' }));
  const refusals: [string, (body: string, secret: string) => string, boolean?][] = [
    ['of another secret', (body) => signatureOf(body, 'whsec_other')],
    ['without a signature', () => ''],
    ['with a time alone', () => `t=${now}`],
    ['with half a signature', (body, key) => signatureOf(body, key).slice(0, -1)],
    ['whose body was changed by one byte', (body, key) => signatureOf(body.replace('paid', 'paie'), key)],
    ['whose time was changed', (body, key) => signatureOf(body, key).replace(/t=\d+/, `t=${now - 7}`)],
    ['that is older than five minutes', (body, key) => signatureOf(body, key, 310)],
    ['of the scheme of tests', (body, key) => signatureOf(body, key).replace('v1=', 'v0=')],
  ];
  test.each(refusals)('%s', async (_, sign) => {
    const body = event();
    const header = sign(body, await secret);
    expect(await send(body, header)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(await find(JSON.parse(body))).toBeUndefined();
    expect(isSignedForStripe(body, header, await secret)).toBe(false);
  });

  test('that somebody saw, and sends again', async () => {
    const body = event();
    const header = signatureOf(body, await secret);
    expect(isSignedForStripe(body, header, await secret)).toBe(true);
    expect(await send(body, header)).toMatchObject({ status: 200 });
    expect(await send(body, header)).toMatchObject({ status: 401 });
    expect((await deliveries()).filter(({ deliveryId }) => deliveryId === JSON.parse(body).id)).toHaveLength(1);
  });
});

test('while the secret is rotated an event is signed with both, and taken by either', async () => {
  const body = JSON.stringify(eventOf('invoice.paid', BEGIN, { object: 'invoice' }));
  const [, ours] = signatureOf(body, await secret, 3).split(',');
  const header = `${signatureOf(body, 'whsec_next', 3)},${ours}`;
  expect(await send(body, header)).toMatchObject({ status: 200 });
});
