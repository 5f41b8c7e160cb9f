import * as z from 'zod';
import { objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';

/** The states of a subscription; `none`: the organization never had one. */
const BILLING_STATUSES = [
  'none',
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
] as const;
export type BillingStatus = (typeof BILLING_STATUSES)[number];

/** Days after a failed payment in which the limits of the plan still apply. */
export const GRACE_DAYS = 14;

export const Invoice = objectNamed('BillingInvoice', {
  number: z.string().nullable(),
  status: z.enum(['open', 'paid', 'uncollectible', 'void']),
  currency: z.string().meta({ example: 'eur' }),
  amountDue: z.int().meta({ description: 'in the smallest unit of the currency' }),
  amountPaid: z.int(),
  attempts: z.int().meta({ description: 'payments that were tried' }),
  nextAttemptAt: Timestamp.nullable(),
  dueAt: Timestamp.nullable(),
  createdAt: Timestamp,
  url: z.string().nullable().meta({ description: 'the address at which the invoice can be paid and read' }),
});
export type Invoice = z.infer<typeof Invoice>;

const Span = z.object({ from: Timestamp, to: Timestamp });

/** The plan and the payments of an organization, from reports of the payment processor. */
export const BillingAccount = z.object({
  status: z.enum(BILLING_STATUSES),
  plan: z
    .object({
      id: z.string().meta({ description: 'the lookup key of the price, or its id' }),
      name: z.string().nullable(),
      quantity: z.int(),
    })
    .nullable(),
  period: Span.nullable().meta({ description: 'that is paid for' }),
  trialEndsAt: Timestamp.nullable(),
  endsAt: Timestamp.nullable().meta({ description: 'where the subscription was canceled to its end' }),
  grace: z
    .object({ since: Timestamp, endsAt: Timestamp })
    .nullable()
    .meta({
      description: `after a failed payment: the end of the ${GRACE_DAYS} days for which the limits of the plan still apply`,
    }),
  features: z
    .array(z.string())
    .meta({ description: 'the lookup keys of the plan that name no limit; they have no effect here' }),
  limits: z.record(z.string(), z.int()).meta({ description: 'of the plan, by the names of quotas' }),
  lastInvoice: Invoice.nullable(),
  asOf: Timestamp.nullable().meta({ description: 'the time of the newest event; null: no event has arrived' }),
});
export type BillingAccount = z.infer<typeof BillingAccount>;

export const NO_ACCOUNT: BillingAccount = {
  status: 'none',
  plan: null,
  period: null,
  trialEndsAt: null,
  endsAt: null,
  grace: null,
  features: [],
  limits: {},
  lastInvoice: null,
  asOf: null,
};

type AccountRow = BillingAccount & { version: number };

export const billingAccounts = defineRow<AccountRow, object>({
  name: 'billing-account',
  about:
    "an organization's plan and the state of its payments, from the reports of the payment processor about its customers",
  key: () => ['all'],
});

/** Whether the plan grants its limits and features at this time. */
export const isEntitled = ({ status, grace }: Pick<BillingAccount, 'status' | 'grace'>, at: string): boolean =>
  status === 'active' || status === 'trialing' || (status === 'past_due' && grace !== null && at < grace.endsAt);
