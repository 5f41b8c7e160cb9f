import type Stripe from 'stripe';
import { pathsOf } from '#shared/code/integrations/payload.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { listAt, numberAt, textAt } from '#shared/reports/readers/json.ts';
import { askStripe } from './stripe.ts';

const price = pathsOf<Stripe.Price>();

/** A price at Stripe is on offer where its metadata say so: other prices are for one customer, or for tests. */
const OFFERED = 'selfService';

type Plan = {
  id: string;
  name: string;
  currency: string;
  amount: number | null;
  every: { count: number; unit: string };
};
type Offer = Plan & { price: string };

/** The plans that an organization can buy. `plan`: only this one. @throws conflict */
export async function offeredPlans(connections: Connections, plan?: string): Promise<Offer[]> {
  const fields = {
    active: 'true',
    type: 'recurring',
    limit: '100',
    'expand[]': 'data.product',
    ...(plan !== undefined && { 'lookup_keys[]': plan }),
  };
  const body = await askStripe(connections, { method: 'GET', path: 'prices', fields });
  return listAt(body, 'data').flatMap((one) => offerIn(one) ?? []);
}

function offerIn(one: unknown): Offer | undefined {
  const [id, key] = [textAt(one, ...price('id')), textAt(one, ...price('lookup_key'))];
  if (!id || !key || textAt(one, ...price('metadata'), OFFERED) !== 'true') return undefined;
  return {
    id: key,
    name: textAt(one, 'product', 'name') ?? textAt(one, ...price('nickname')) ?? key,
    currency: textAt(one, ...price('currency')) ?? '',
    amount: numberAt(one, ...price('unit_amount')) ?? null,
    every: {
      count: numberAt(one, ...price('recurring', 'interval_count')) ?? 1,
      unit: textAt(one, ...price('recurring', 'interval')) ?? 'month',
    },
    price: id,
  };
}
