import { isDeepStrictEqual } from 'node:util';
import { BillingAccount, billingAccounts, isEntitled, NO_ACCOUNT } from '#shared/billing/account.ts';
import { accountOf, organizationOf } from '#shared/billing/account-of.ts';
import { billingCustomers, billingFacts, customerLinks, type Fact } from '#shared/billing/facts.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { planLimitRows } from '#shared/platform/quotas/limits.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { orOvertaken, retry } from '#shared/platform/runtime/retry.ts';
import { changeOf } from '#shared/platform/table/changes.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';

/** Keeps a fact, unless a later one is known. @returns whether it is news */
export const keepFact = (global: Table, customer: string, fact: Fact): Promise<boolean> =>
  retry(async () => {
    const rows = global.rows(billingFacts);
    const current = await rows.find({ customer, ...fact }, true);
    if (current && current.order >= fact.order) return false;
    await orOvertaken(rows.put({ customer, ...fact }, current ? { order: current.order } : 'absent'));
    return true;
  });

const readFacts = (global: Table, customer: string): Promise<Fact[]> =>
  global.rows(billingFacts).query(customer, { consistent: true });

/**
 * Updates the account of a customer's organization to its facts, and the account of the customer's former organization.
 * Moves the customer last: after a crash, the next worker repeats everything. @returns the organization, if there is
 * one
 */
export async function settleCustomer(global: Table, customer: string): Promise<string | undefined> {
  const named = organizationOf(await readFacts(global, customer));
  const organization = named === null ? undefined : await global.find(organizations, named, true);
  const former = await global.rows(billingCustomers).find({ customer }, true);
  const formerTable = former?.organizationId ? inOrganization(global, former.organizationId) : undefined;
  if (organization) {
    const theirs = inOrganization(global, organization.id);
    await theirs.rows(customerLinks).put({ customer });
    await renewAccount(global, theirs);
  }
  const isMoved = former?.organizationId !== organization?.id;
  if (formerTable && isMoved) {
    await formerTable.rows(customerLinks).remove({ customer });
    await renewAccount(global, formerTable);
  }
  if (isMoved) await global.rows(billingCustomers).put({ customer, organizationId: organization?.id ?? null });
  return organization?.id;
}

const AT_ONCE = 5;

const REPORTED = {
  name: billingAccounts.name,
  feedFields: Object.keys(BillingAccount.shape).filter((name) => name !== 'lastInvoice'),
};

/** Rewrites an organization's account and the limits of its plan in one transaction, where they differ. */
const renewAccount = (global: Table, theirs: Table): Promise<void> =>
  retry(async () => {
    // before the facts: a worker that knows more writes in between, and this one begins again
    const current = await theirs.rows(billingAccounts).find({}, true);
    const links = await theirs.rows(customerLinks).query('all', { consistent: true });
    const facts = await eachAtOnce(links, AT_ONCE, ({ customer }) => readFacts(global, customer));
    const own = facts.filter((some) => organizationOf(some) === theirs.organizationId);
    const account = accountOf(own);
    const { version, ...before } = current ?? { ...NO_ACCOUNT, version: 0 };
    if (isDeepStrictEqual(account, before)) return;
    const id = theirs.organizationId;
    const row = { ...account, version: version + 1 };
    const change = changeOf(REPORTED, { before: { ...before, id, version }, after: { ...row, id } });
    const batch = theirs.batch();
    const expect = current ? { version } : ('absent' as const);
    batch.write(putWrite(theirs.tenant, billingAccounts, { row, expect, fail: () => new Overtaken() }));
    batch.write(putWrite(theirs.tenant, planLimitRows, { row: planLimits(account) }));
    if (change) batch.announce(change);
    await batch.commit();
  });

/** The limits that the plan grants now, and until when: nothing happens at the end of a grace but that they are not read any more. */
const planLimits = (account: BillingAccount) => ({
  limits: isEntitled(account, account.grace?.since ?? '') ? account.limits : {},
  until: account.grace?.endsAt ?? null,
});
