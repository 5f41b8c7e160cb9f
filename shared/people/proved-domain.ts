import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { Voucher } from './ticket.ts';

type ProvedDomain = Voucher & { domain: string };

export const provedDomains = defineRow<ProvedDomain, Pick<ProvedDomain, 'domain'>>({
  name: 'proved-domain',
  about: 'the identity provider to which the addresses of a domain belong, proved by DNS; global key scope',
  key: ({ domain }) => [domain],
});

/** The provider that vouches for addresses of the domain. */
export const providerOf = (dynamo: Dynamo, domain: string): Promise<ProvedDomain | undefined> =>
  openTable(dynamo, GLOBAL_SCOPE).rows(provedDomains).find({ domain }, true);

/** The write by which a domain belongs to a provider; a domain belongs to one provider. @throws conflict */
export const domainWrite = (row: ProvedDomain): Write =>
  putWrite(GLOBAL_SCOPE, provedDomains, { row, expect: 'absent', fail: () => takenDomain(row.domain) });

export const takenDomain = (domain: string) =>
  conflict(`${domain} belongs to another identity provider. If the domain is yours, ask the support.`);

/** The writes after which the provider vouches for no address of its domains. */
export async function freedBy(
  dynamo: Dynamo,
  organizationId: string,
  { id, domains }: Pick<IdentityProvider, 'id' | 'domains'>,
): Promise<Write[]> {
  const proved = await Promise.all(domains.map(({ name }) => providerOf(dynamo, name)));
  const own = proved.filter((row) => row?.organizationId === organizationId && row.providerId === id);
  return own.flatMap((row) => (row ? [{ remove: rowKey(GLOBAL_SCOPE, provedDomains, row) }] : []));
}
