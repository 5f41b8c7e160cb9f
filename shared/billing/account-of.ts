import { type BillingAccount, GRACE_DAYS, NO_ACCOUNT } from '#shared/billing/account.ts';
import type { Fact, Subscription } from '#shared/billing/facts.ts';
import { type OrganizationLimits, QUOTAS, quotaNames } from '#shared/platform/quotas/quotas.ts';
import { secondsAfter } from '#shared/platform/runtime/clock.ts';

type Kind = Fact['kind'];
const factsOf = <K extends Kind>(facts: readonly Fact[], kind: K) =>
  facts.filter((fact): fact is Extract<Fact, { kind: K }> => fact.kind === kind);

/**
 * The organization of a customer: the one that the customer itself names, otherwise the one of its newest subscription
 * that names one, otherwise of its newest purchase.
 */
export function organizationOf(facts: readonly Fact[]): string | null {
  const subscriptions = factsOf(facts, 'subscription').filter(({ value }) => value.organizationId !== null);
  const newest = subscriptions.toSorted((a, b) => (a.at + a.id < b.at + b.id ? 1 : -1))[0];
  const named = [...factsOf(facts, 'customer'), ...(newest ? [newest] : []), ...factsOf(facts, 'checkout')];
  return named.map(({ value }) => value.organizationId).find((id) => id !== null) ?? null;
}

/** The states of a subscription, those that grant most last. */
const STATUS_ORDER = ['canceled', 'incomplete', 'paused', 'unpaid', 'past_due', 'trialing', 'active'];

type Held = { facts: readonly Fact[]; id: string; subscription: Subscription };

/**
 * A subscription in a lower state sorts later: so nobody lowers an organization's plan with another subscription in its
 * name.
 */
const rankOf = ({ subscription: { status, startedAt }, id }: Held): string =>
  [STATUS_ORDER.indexOf(status), startedAt, id].join(' ');

const isDeleted = (facts: readonly Fact[]): boolean => factsOf(facts, 'customer').some(({ value }) => value.isDeleted);

/** The subscription that counts. */
function bestOf(customers: readonly (readonly Fact[])[]): Held | undefined {
  const held = customers.flatMap((facts) =>
    factsOf(facts, 'subscription').map(({ id, value }): Held => {
      return { facts, id, subscription: isDeleted(facts) ? { ...value, status: 'canceled' } : value };
    }),
  );
  return held.toSorted((a, b) => (rankOf(a) < rankOf(b) ? 1 : -1))[0];
}

/** The facts of the customer who pays: with the subscription that counts, otherwise any; none that was deleted. */
export function payerOf<F extends readonly Fact[]>(customers: readonly F[]): F | undefined {
  const present = customers.filter((facts) => !isDeleted(facts));
  const best = bestOf(present);
  return present.find((facts) => facts === best?.facts) ?? present[0];
}

/** The account of an organization from the facts of its customers, in whatever order the facts came. */
export function accountOf(customers: readonly (readonly Fact[])[]): BillingAccount {
  const asOf = customers.flat().reduce<string | null>((last, { at }) => (last === null || at > last ? at : last), null);
  const best = bestOf(customers);
  const invoices = factsOf(best?.facts ?? customers.flat(), 'invoice').toSorted((a, b) => (a.order < b.order ? 1 : -1));
  const lastInvoice = invoices[0]?.value ?? null;
  if (!best) return { ...NO_ACCOUNT, lastInvoice, asOf };
  const { organizationId: _organizationId, startedAt: _startedAt, ...shown } = best.subscription;
  const { features, limits } = grantsOf(factsOf(best.facts, 'entitlements').flatMap(({ value }) => value.keys));
  return { ...shown, grace: graceOf(best), features, limits, lastInvoice, asOf };
}

/** The grace begins when the subscription changed to its state; later events with the same state do not extend it. */
function graceOf({ facts, id, subscription: { status } }: Held): BillingAccount['grace'] {
  if (status !== 'past_due') return null;
  const change = factsOf(facts, 'change').find((one) => one.id === id && one.value.status === status);
  const since = (change ?? factsOf(facts, 'subscription').find((one) => one.id === id))?.at;
  return since === undefined ? null : { since, endsAt: secondsAfter(since, GRACE_DAYS * 86_400) };
}

/**
 * The grants of lookup keys: `openUploads-2000` is a limit of the organization, every other key a feature. Of two keys
 * for one limit the higher counts; a limit stays within the bounds for staff.
 */
function grantsOf(keys: readonly string[]): Pick<BillingAccount, 'features' | 'limits'> {
  const limits: Partial<OrganizationLimits> = {};
  const features = keys.filter((key) => {
    const [, word, amount] = /^([a-zA-Z]+)-(\d{1,15})$/.exec(key) ?? [];
    const name = quotaNames.find((quota) => quota === word);
    if (!name) return true;
    const { lowest, highest } = QUOTAS[name];
    limits[name] = Math.max(limits[name] ?? lowest, Math.min(highest, Number(amount)));
    return false;
  });
  return { features, limits };
}
