import type Stripe from 'stripe';
import type { Invoice } from '#shared/billing/account.ts';
import type { Fact, Subscription } from '#shared/billing/facts.ts';
import { pathsOf } from '#shared/code/integrations/payload.ts';
import { fieldAt, type JsonObject, listAt, numberAt, textAt } from '#shared/reports/readers/json.ts';

const eventPath = pathsOf<Stripe.Event>();
const subscribed = pathsOf<Stripe.Subscription>();
const item = pathsOf<Stripe.SubscriptionItem>();
const invoiced = pathsOf<Stripe.Invoice>();

/** An event of Stripe. `created` is in seconds since the epoch. */
type StripeEvent = { id: string; type: string; created: number; object: unknown; before: unknown };

type ReportedFacts = { customer: string; facts: Fact[] };

/** The facts in an event of Stripe: https://docs.stripe.com/api/events/types. Undefined: the event has nothing to keep. */
export function factsIn(body: JsonObject): ReportedFacts | undefined {
  const [id, type] = [textAt(body, ...eventPath('id')), textAt(body, ...eventPath('type'))];
  const created = numberAt(body, ...eventPath('created'));
  const read = READERS.find(([events]) => events.test(type ?? ''))?.[1];
  if (!id || !type || created === undefined || !read) return undefined;
  const object = fieldAt(body, ...eventPath('data', 'object'));
  const customer = textAt(object, textAt(object, 'object') === 'customer' ? 'id' : 'customer');
  const event = { id, type, created, object, before: fieldAt(body, ...eventPath('data', 'previous_attributes')) };
  const facts = customer ? read(event) : [];
  return customer && facts.length > 0 ? { customer, facts } : undefined;
}

const READERS: [RegExp, (event: StripeEvent) => Fact[]][] = [
  [/^customer\.(created|updated|deleted)$/, customerFacts],
  [
    /^customer\.subscription\.(created|updated|deleted|paused|resumed|trial_will_end|pending_update_\w+)$/,
    subscriptionFacts,
  ],
  [
    /^invoice\.(finalized|paid|payment_\w+|updated|voided|marked_uncollectible|overdue|will_be_due|sent)$/,
    invoiceFacts,
  ],
  [/^checkout\.session\.(completed|async_payment_succeeded)$/, checkoutFacts],
  [/^entitlements\.active_entitlement_summary\.updated$/, entitlementFacts],
];

const seconds = (time: number): string => String(Math.max(0, Math.trunc(time))).padStart(12, '0');
const timeOf = (time: number): string => new Date(time * 1000).toISOString();
const timeAt = (value: unknown, ...path: (string | number)[]): string | null => {
  const time = numberAt(value, ...path);
  return time === undefined ? null : timeOf(time);
};

/**
 * The order of facts. An end is behind all other facts, whatever their times: a deleted or canceled subscription never
 * comes back. Of two events in one second the later kind or state counts, otherwise the id decides.
 */
const orderOf = ({ created, id }: StripeEvent, rank: number, isEnd = false): string =>
  [isEnd ? 1 : 0, seconds(created), rank, id].join(' ');

const organizationIn = (object: unknown): string | null => textAt(object, 'metadata', 'organizationId')?.trim() ?? null;

function customerFacts(event: StripeEvent): Fact[] {
  const isDeleted = event.type === 'customer.deleted';
  const order = orderOf(event, event.type === 'customer.created' ? 0 : 1, isDeleted);
  const value = { organizationId: organizationIn(event.object), isDeleted };
  return [{ kind: 'customer', id: '-', order, at: timeOf(event.created), value }];
}

function checkoutFacts(event: StripeEvent): Fact[] {
  const organizationId =
    organizationIn(event.object) ??
    textAt(event.object, ...pathsOf<Stripe.Checkout.Session>()('client_reference_id')) ??
    null;
  if (organizationId === null) return [];
  return [
    { kind: 'checkout', id: '-', order: orderOf(event, 0), at: timeOf(event.created), value: { organizationId } },
  ];
}

/** In the order in which a subscription goes through them, for events of one second. */
const STATES = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled'] as const;

/** A state that this release does not know entitles to nothing. */
function statusOf(text: string | undefined): Subscription['status'] {
  if (text === 'incomplete_expired') return 'canceled';
  return STATES.find((state) => state === text) ?? 'incomplete';
}

function subscriptionFacts(event: StripeEvent): Fact[] {
  const { object, before, created, type } = event;
  const id = textAt(object, 'id');
  if (!id) return [];
  const isDeleted = type === 'customer.subscription.deleted';
  const status = isDeleted ? 'canceled' : statusOf(textAt(object, 'status'));
  const isFirst = type === 'customer.subscription.created';
  const rank = (isFirst ? 0 : 10) + STATES.indexOf(status);
  const at = timeOf(created);
  const order = orderOf(event, rank, status === 'canceled');
  const fact: Fact = { kind: 'subscription', id, order, at, value: subscriptionIn(object, status, at) };
  const isChange = isFirst || isDeleted || textAt(before, 'status') !== undefined;
  return isChange ? [fact, { kind: 'change', id, order, at, value: { status } }] : [fact];
}

/** Since Stripe's version of March 2025 the period is in the items, before that version in the subscription. */
function subscriptionIn(object: unknown, status: Subscription['status'], at: string): Subscription {
  const first = fieldAt(object, ...subscribed('items', 'data', 0));
  const from = timeAt(first, ...item('current_period_start')) ?? timeAt(object, 'current_period_start');
  const to = timeAt(first, ...item('current_period_end')) ?? timeAt(object, 'current_period_end');
  const isEnding = fieldAt(object, ...subscribed('cancel_at_period_end')) === true;
  return {
    status,
    plan: planIn(first),
    period: from && to ? { from, to } : null,
    trialEndsAt: timeAt(object, ...subscribed('trial_end')),
    endsAt:
      timeAt(object, ...subscribed('ended_at')) ?? timeAt(object, ...subscribed('cancel_at')) ?? (isEnding ? to : null),
    startedAt: timeAt(object, ...subscribed('start_date')) ?? timeAt(object, ...subscribed('created')) ?? at,
    organizationId: organizationIn(object),
  };
}

function planIn(first: unknown): Subscription['plan'] {
  const id = textAt(first, ...item('price', 'lookup_key')) ?? textAt(first, ...item('price', 'id'));
  const name = textAt(first, ...item('price', 'nickname')) ?? null;
  return id ? { id, name, quantity: wholeAt(first, item('quantity'), 1) } : null;
}

const wholeAt = (value: unknown, path: string[], otherwise = 0): number =>
  Math.trunc(numberAt(value, ...path) ?? otherwise);

/** In the order in which an invoice goes through them, for events of one second. */
const INVOICE_STATES = ['open', 'uncollectible', 'void', 'paid'] as const;

/** The newest invoice counts for the account; each is listed. A draft does not count. */
function invoiceFacts(event: StripeEvent): Fact[] {
  const { object, created } = event;
  const status = INVOICE_STATES.find((state) => state === textAt(object, ...invoiced('status')));
  const issued = numberAt(object, ...invoiced('created'));
  if (!status || issued === undefined) return [];
  const value: Invoice = {
    status,
    number: textAt(object, ...invoiced('number')) ?? null,
    currency: textAt(object, ...invoiced('currency')) ?? '',
    amountDue: wholeAt(object, invoiced('amount_due')),
    amountPaid: wholeAt(object, invoiced('amount_paid')),
    attempts: wholeAt(object, invoiced('attempt_count')),
    nextAttemptAt: timeAt(object, ...invoiced('next_payment_attempt')),
    dueAt: timeAt(object, ...invoiced('due_date')),
    createdAt: timeOf(issued),
    url: textAt(object, ...invoiced('hosted_invoice_url')) ?? null,
  };
  const order = orderOf(event, INVOICE_STATES.indexOf(status));
  const [at, time] = [timeOf(created), seconds(issued)];
  const id = textAt(object, ...invoiced('id'));
  return [
    { kind: 'invoice', id: '-', order: `${time} ${order}`, at, value },
    ...(id ? [{ kind: 'issued' as const, id: `${time} ${id}`, order, at, value }] : []),
  ];
}

function entitlementFacts(event: StripeEvent): Fact[] {
  const entitlements = listAt(
    event.object,
    ...pathsOf<Stripe.Entitlements.ActiveEntitlementSummary>()('entitlements', 'data'),
  );
  const keys = [
    ...new Set(
      entitlements.flatMap(
        (one) => textAt(one, ...pathsOf<Stripe.Entitlements.ActiveEntitlement>()('lookup_key')) ?? [],
      ),
    ),
  ].sort();
  return [{ kind: 'entitlements', id: '-', order: orderOf(event, 0), at: timeOf(event.created), value: { keys } }];
}
