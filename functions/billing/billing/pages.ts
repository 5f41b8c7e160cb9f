import type Stripe from 'stripe';
import { billingAccounts, NO_ACCOUNT } from '#shared/billing/account.ts';
import { pathsOf } from '#shared/code/integrations/payload.ts';
import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { textAt } from '#shared/reports/readers/json.ts';
import { isOpenForPlans, payingCustomer } from './customers.ts';
import { offeredPlans } from './plans.ts';
import { askStripe } from './stripe.ts';

/** https://docs.stripe.com/api/customer_portal/sessions/create @throws conflict */
export async function openPortal({ connections, table }: Context) {
  const customer = await payingCustomer(table);
  if (customer === undefined)
    throw conflict(
      'The organization has no plan of the payment processor yet: POST /api/v1/billing/checkout begins one.',
    );
  const fields = { customer, return_url: connections.settings.BASE_URL };
  return pageIn(await askStripe(connections, { method: 'POST', path: 'billing_portal/sessions', fields }));
}

/**
 * The organization is in the metadata of the subscription, so that its events name the organization, however the customer is
 * named. https://docs.stripe.com/api/checkout/sessions/create
 * @throws conflict, validation_failed
 */
export async function startCheckout(
  { connections, table }: Context,
  { plan, quantity }: { plan: string; quantity: number },
) {
  const account = (await table.rows(billingAccounts).find({}, true)) ?? NO_ACCOUNT;
  if (!isOpenForPlans(account))
    throw conflict(
      'The organization has a plan already: POST /api/v1/billing/portal leads to the page that changes it.',
    );
  const offer = (await offeredPlans(connections, plan)).find(({ id }) => id === plan);
  if (!offer) throw invalid('plan', 'must be the id of a plan of GET /api/v1/billing/plans');
  const customer = await payingCustomer(table);
  const { organizationId } = table;
  const fields = {
    mode: 'subscription',
    'line_items[0][price]': offer.price,
    'line_items[0][quantity]': String(quantity),
    'subscription_data[metadata][organizationId]': organizationId,
    client_reference_id: organizationId,
    success_url: connections.settings.BASE_URL,
    cancel_url: connections.settings.BASE_URL,
    ...(customer !== undefined && { customer }),
  };
  return pageIn(await askStripe(connections, { method: 'POST', path: 'checkout/sessions', fields }));
}

function pageIn(session: unknown): { url: string } {
  const url = textAt(session, ...pathsOf<Stripe.Checkout.Session>()('url'));
  if (!url) throw conflict('The payment processor answers with no page: send the request again in some minutes.');
  return { url };
}
