import { isDeepStrictEqual } from 'node:util';
import {
  type IdentityProvider,
  identityProviders,
  isProved,
  lapsesAt,
  MAX_PROVIDERS,
  type ProviderDomain,
  withProblems,
} from '#shared/people/identity-provider.ts';
import { freedBy } from '#shared/people/proved-domain.ts';
import { textRecords } from '#shared/people/text-records.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { dailyTimer } from '#shared/platform/timers/daily.ts';
import { putTimer, removeTimer } from '#shared/platform/timers/timers.ts';
import type { Due } from './due.ts';

/** Looks up the records of the proved domains of an organization. The timer ends with the last of them. */
export async function checkDomains({ connections, table, timer }: Due): Promise<void> {
  const { data } = await table.list(identityProviders, { paginateFrom: 0, paginateSize: MAX_PROVIDERS });
  const checked: IdentityProvider[] = [];
  for (const provider of data.filter(isProved)) checked.push(await checkProvider({ connections, table }, provider));
  await table.write(
    removeTimer(timer),
    ...(checked.some(isProved) ? [putTimer(dailyTimer('provider-domains', table))] : []),
  );
}

async function checkProvider({ connections, table }: Context, { id, domains }: IdentityProvider) {
  const proved = domains.filter(({ status }) => status === 'verified');
  const looks = await Promise.all(
    proved.map(async (domain) => [domain.name, await lookAt(connections, domain)] as const),
  );
  const found = new Map(looks);
  return retry(async () => {
    const provider = await table.get(identityProviders, id, true);
    const next = provider.domains.map((domain) => after(domain, found.get(domain.name)));
    if (isDeepStrictEqual(next, provider.domains)) return provider;
    const lapsed = next.filter(({ status }, n) => status !== provider.domains[n]?.status);
    const writes = await freedBy(table.dynamo, table.organizationId, { id, domains: lapsed });
    return table.update(identityProviders, provider, withProblems(next), (batch) => batch.write(...writes));
  });
}

/** Undefined where no name server answers: nobody knows whether the record is there. */
async function lookAt(
  { settings }: Context['connections'],
  { dnsRecord }: ProviderDomain,
): Promise<boolean | undefined> {
  return (await textRecords(settings, dnsRecord.name))?.includes(dnsRecord.value);
}

function after(domain: ProviderDomain, isThere: boolean | undefined): ProviderDomain {
  if (domain.status !== 'verified' || isThere === undefined) return domain;
  if (isThere) return { ...domain, missingSince: null };
  const missingSince = domain.missingSince ?? now();
  return { ...domain, missingSince, status: now() < lapsesAt(missingSince) ? 'verified' : 'lapsed' };
}
