import { type BillingAccount, billingAccounts, isEntitled, NO_ACCOUNT } from '#shared/billing/account.ts';
import { useInMemory } from '#shared/platform/http/fair-use.ts';
import { limitRows } from '#shared/platform/quotas/limits.ts';
import { readUse } from '#shared/platform/quotas/places.ts';
import { describeQuota, QUOTAS, quotaNames } from '#shared/platform/quotas/quotas.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { isOpenForPlans, payingCustomer } from './customers.ts';
import { isSetUp } from './stripe.ts';

/** The account of the organization, with its limits as they hold at this moment and the use of each. */
export async function billingOf({ connections, table }: Context) {
  const [row, set = {}, inTable, customer] = await Promise.all([
    table.rows(billingAccounts).find({}, true),
    table.rows(limitRows).find({}, true),
    readUse(table),
    payingCustomer(table),
  ]);
  const { limits: granted, ...account } = row ?? NO_ACCOUNT;
  const isGranted = isEntitled(account, now());
  const use = new Map([...inTable, ...Object.entries(useInMemory(table.organizationId))]);
  const limits = quotaNames.map((name) => {
    const ofPlan = isGranted ? granted[name] : undefined;
    const source: 'default' | 'plan' | 'provider' =
      set[name] !== undefined ? 'provider' : ofPlan !== undefined ? 'plan' : 'default';
    const limit = set[name] ?? ofPlan ?? QUOTAS[name].limit;
    return { name, description: describeQuota(QUOTAS[name]), limit, source, used: use.get(name) ?? 0 };
  });
  const { status, plan, period, trialEndsAt, endsAt, grace, lastInvoice, asOf } = account;
  const features = isGranted ? account.features : [];
  const shown = { status, plan, period, trialEndsAt, endsAt, grace, features, lastInvoice, asOf };
  const sells = isSetUp(connections);
  const actions = { portal: sells && customer !== undefined, checkout: sells && isOpenForPlans(account) };
  return { ...shown, notice: noticeOf(account, isGranted), limits, actions };
}

/** Asks for a payment where one is missing. */
function noticeOf({ status, grace, endsAt }: Omit<BillingAccount, 'limits'>, isGranted: boolean): string | null {
  if (status === 'past_due' && grace)
    return isGranted
      ? `A payment failed. Pay the last invoice before ${grace.endsAt}: then the default limits hold.`
      : `A payment failed, and the default limits hold since ${grace.endsAt}. Pay the last invoice to have those of the plan again.`;
  if (status === 'unpaid') return 'Payments failed, and the default limits hold. Pay the last invoice.';
  return isGranted && endsAt ? `The subscription ends at ${endsAt}. Renew it to keep the limits of the plan.` : null;
}
