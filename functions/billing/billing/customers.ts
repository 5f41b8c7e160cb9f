import type { BillingAccount, Invoice } from '#shared/billing/account.ts';
import { payerOf } from '#shared/billing/account-of.ts';
import { billingFacts, customerLinks, issuedTo } from '#shared/billing/facts.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';

const linksOf = (table: Table) => table.rows(customerLinks).query('all');
const factsOf = (table: Table) => inOrganization(table, GLOBAL_SCOPE).rows(billingFacts);

/** The customer at the payment processor who pays for the organization. */
export async function payingCustomer(table: Table): Promise<string | undefined> {
  const links = await linksOf(table);
  return payerOf(await Promise.all(links.map(({ customer }) => factsOf(table).query(customer))))?.[0]?.customer;
}

/** The invoices of all customers who pay for the organization, the newest first. */
export async function invoicesOf(table: Table): Promise<Invoice[]> {
  const links = await linksOf(table);
  const facts = await Promise.all(links.map(({ customer }) => factsOf(table).query(issuedTo(customer))));
  return facts
    .flat()
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .flatMap((fact) => (fact.kind === 'issued' ? fact.value : []));
}

/** A second subscription would be paid beside the first one. */
export const isOpenForPlans = ({ status }: Pick<BillingAccount, 'status'>): boolean =>
  status === 'none' || status === 'canceled' || status === 'incomplete';
