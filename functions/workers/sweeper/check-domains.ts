import { isDeepStrictEqual } from 'node:util';
import { lettersToAdministrators } from '#shared/people/administrators.ts';
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
import { sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
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
  const { checked, tasks } = await retry(async () => {
    const provider = await table.get(identityProviders, id, true);
    const next = provider.domains.map((domain) => after(domain, found.get(domain.name)));
    if (isDeepStrictEqual(next, provider.domains)) return { checked: provider, tasks: [] };
    const lapsed = next.filter(({ status }, n) => status !== provider.domains[n]?.status);
    const worse = next.filter(({ missingSince }, n) => missingSince && !provider.domains[n]?.missingSince);
    const letters = await lettersAbout(table, provider, [...lapsed, ...worse]);
    const writes = await freedBy(table.dynamo, table.organizationId, { id, domains: lapsed });
    const changed = await table.update(identityProviders, provider, withProblems(next), (batch) =>
      batch.write(...writes, ...letters.writes),
    );
    return { checked: changed, tasks: letters.tasks };
  });
  for (const task of tasks) await sendOutbox({ connections, table }, { task });
  return checked;
}

/** Administrators read in a letter on the first day that a record is missing, and on the day that its domain lapses. */
async function lettersAbout(table: Table, { name }: IdentityProvider, domains: ProviderDomain[]) {
  if (domains.length === 0) return { tasks: [], writes: [] };
  const names = domains.map((domain) => domain.name).join(', ');
  const hasLapsed = domains.some(({ status }) => status === 'lapsed');
  return lettersToAdministrators(table, {
    subject: shortened(
      hasLapsed ? `${names}: people cannot sign in` : `${names}: a DNS record is missing`,
      MAX_SUBJECT,
    ),
    paragraphs: [
      `The identity provider "${name}" signs in people of domains that are proved by a record in DNS.`,
      ...withProblems(domains).problems.slice(0, MAX_NAMED),
      ...domains.slice(0, MAX_NAMED).map(({ dnsRecord }) => `The record: ${dnsRecord.name} TXT ${dnsRecord.value}`),
      'When a domain lapses, people with its addresses do not sign in with the provider, and nothing is enforced. Owners can always use a letter.',
    ],
    link: { label: 'Open the service', page: '/' },
  });
}

const MAX_SUBJECT = 200;
const MAX_NAMED = 4;

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
