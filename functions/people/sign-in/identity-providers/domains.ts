import {
  type IdentityProvider,
  identityProviders,
  isProved,
  type ProviderDomain,
  withProblems,
} from '#shared/people/identity-provider.ts';
import { isPublicMail } from '#shared/people/owner-domain.ts';
import { domainWrite, freedBy, providerOf, takenDomain } from '#shared/people/proved-domain.ts';
import { textRecords } from '#shared/people/text-records.ts';
import { newSecret } from '#shared/platform/auth/token-format.ts';
import { conflict, fixedLimit, invalid, notFound } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dailyTimer } from '#shared/platform/timers/daily.ts';
import { putTimer } from '#shared/platform/timers/timers.ts';

const MAX_DOMAINS = 20;
const LABEL = '_exposure-challenge';

type Named = { id: string; name: string };

/** Adds a domain, with the DNS record that proves it. @throws validation_failed, conflict */
export async function addDomain(table: Table, { id, name: given }: Named): Promise<IdentityProvider> {
  const name = await registered(given);
  return retry(async () => {
    const provider = await table.get(identityProviders, id, true);
    if (provider.domains.some((domain) => domain.name === name)) return provider;
    if (provider.domains.length >= MAX_DOMAINS) throw fixedLimit('A provider', MAX_DOMAINS, 'domains');
    if (await providerOf(table.dynamo, name)) throw takenDomain(name);
    const dnsRecord = { type: 'TXT' as const, name: `${LABEL}.${name}`, value: `exposure-domain=${newSecret()}` };
    const domain = { name, status: 'pending' as const, dnsRecord, missingSince: null };
    const domains = [...provider.domains, domain];
    return table.update(identityProviders, provider, { domains });
  });
}

/** A domain in ASCII whose addresses one organization gives. @throws validation_failed */
async function registered(given: string): Promise<string> {
  const { parse } = await import('tldts');
  const name = URL.parse(`http://${given.trim().toLowerCase()}`)?.hostname ?? '';
  const { domain, isIp } = parse(name, { allowPrivateDomains: true });
  if (!domain || isIp || name.includes('..') || name.endsWith('.'))
    throw invalid('name', 'must be a domain of an organization such as example.org, not a suffix such as co.uk');
  if (isPublicMail(name)) throw invalid('name', 'is a domain at which anybody gets an address');
  return name;
}

/** Looks for the record, and gives the domain to the provider. A domain that is proved stays. @throws conflict */
export async function verifyDomain({ connections, table }: Context, { id, name }: Named): Promise<IdentityProvider> {
  const { dnsRecord } = domainIn(await table.get(identityProviders, id, true), name);
  const found = (await textRecords(connections.settings, dnsRecord.name)) ?? [];
  if (!found.includes(dnsRecord.value))
    throw conflict(
      `The name servers answer ${found.length} TXT records for ${dnsRecord.name}, and none with the value. Changes of DNS may take an hour.`,
    );
  return retry(async () => {
    const provider = await table.get(identityProviders, id, true);
    const domain = domainIn(provider, name);
    const own = await providerOf(table.dynamo, name);
    const isOwn = own?.organizationId === table.organizationId && own.providerId === id;
    if (isOwn && domain.status === 'verified' && domain.missingSince === null) return provider;
    const proved = { ...domain, status: 'verified' as const, missingSince: null };
    const domains = provider.domains.map((one) => (one === domain ? proved : one));
    return table.update(identityProviders, provider, withProblems(domains), (batch) =>
      batch.write(
        putTimer(dailyTimer('provider-domains', table)),
        ...(isOwn ? [] : [domainWrite({ domain: name, organizationId: table.organizationId, providerId: id })]),
      ),
    );
  });
}

/** Removes a domain: the provider vouches for no address of it any more. @throws conflict */
export const removeDomain = (table: Table, { id, name }: Named): Promise<IdentityProvider> =>
  retry(async () => {
    const provider = await table.get(identityProviders, id, true);
    const domain = domainIn(provider, name);
    const domains = provider.domains.filter((one) => one !== domain);
    if (provider.status === 'active' && !isProved({ domains }))
      throw conflict('The provider is active and has no other proved domain: disable the provider first.');
    const writes = await freedBy(table.dynamo, table.organizationId, { id, domains: [domain] });
    return table.update(identityProviders, provider, withProblems(domains), (batch) => batch.write(...writes));
  });

function domainIn({ domains }: IdentityProvider, name: string): ProviderDomain {
  const found = domains.find((domain) => domain.name === name);
  if (!found) throw notFound('domain', name);
  return found;
}
