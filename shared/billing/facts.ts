import { defineRow } from '#shared/platform/table/io/row.ts';
import type { BillingStatus, Invoice } from './account.ts';

/** The last reported state of a subscription. */
export type Subscription = {
  status: Exclude<BillingStatus, 'none'>;
  plan: { id: string; name: string | null; quantity: number } | null;
  period: { from: string; to: string } | null;
  trialEndsAt: string | null;
  endsAt: string | null;
  startedAt: string;
  organizationId: string | null;
};

/**
 * The facts that events report about a customer. The newest event of each fact counts, so events may come in any order.
 */
type Values = {
  customer: { organizationId: string | null; isDeleted: boolean };
  /** The completion of a purchase; it names the organization that began it. */
  checkout: { organizationId: string | null };
  subscription: Subscription;
  /** When a subscription came into its state. */
  change: { status: Subscription['status'] };
  invoice: Invoice;
  /** Each invoice, by its time and id; these are in a partition of their own, because an account needs only the newest. */
  issued: Invoice;
  entitlements: { keys: string[] };
};

/**
 * A fact from an event. `id`: the subscription; `order`: later facts sort behind earlier ones; `at`: the time of the
 * event.
 */
export type Fact = {
  [K in keyof Values]: { kind: K; id: string; order: string; at: string; value: Values[K] };
}[keyof Values];

type FactRow = Fact & { customer: string };

export const issuedTo = (customer: string): string => `${customer}#issued`;

export const billingFacts = defineRow<FactRow, Pick<FactRow, 'customer' | 'kind' | 'id'>>({
  name: 'billing-fact',
  about: 'the newest event about a customer, a subscription, an invoice or entitlements; global key scope',
  key: ({ customer, kind, id }) => (kind === 'issued' ? [issuedTo(customer), id] : [customer, `${kind}#${id}`]),
});

type BillingCustomer = { customer: string; organizationId: string | null };

export const billingCustomers = defineRow<BillingCustomer, Pick<BillingCustomer, 'customer'>>({
  name: 'billing-customer',
  about: 'the organization of a customer of the payment processor; global key scope',
  key: ({ customer }) => [customer],
});

export const customerLinks = defineRow<{ customer: string }>({
  name: 'billing-customer-link',
  about: "an organization's customers at the payment processor",
  key: ({ customer }) => ['all', customer],
});
