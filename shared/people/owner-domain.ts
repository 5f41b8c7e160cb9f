import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';

/** Providers at which anybody gets an address: a domain of theirs is of no organization. */
const PUBLIC_DOMAINS = new Set(
  (
    'aol.com fastmail.com gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.com hotmail.co.uk hotmail.de ' +
    'hotmail.fr icloud.com laposte.net libero.it live.com mac.com mail.com mail.ru mailbox.org me.com msn.com naver.com orange.fr ' +
    'outlook.com outlook.de outlook.fr pm.me posteo.de proton.me protonmail.com qq.com seznam.cz t-online.de tuta.com tutanota.com ' +
    'web.de yahoo.co.jp yahoo.co.uk yahoo.com yahoo.de yahoo.fr yandex.com yandex.ru ymail.com zoho.com 126.com 163.com'
  ).split(' '),
);

type OwnerDomain = { domain: string; organizationId: string };

export const ownerDomains = defineRow<OwnerDomain>({
  name: 'owner-domain',
  about: "the domain of the address of an organization's first owner; global key scope",
  key: ({ domain, organizationId }) => [domain, organizationId],
});

/** Whether anybody gets an address of the domain. */
export const isPublicMail = (domain: string): boolean => PUBLIC_DOMAINS.has(domain);

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** The write by which later sign-ups with an address of the domain are asked to join. */
export const ownerDomainWrites = (organizationId: string, email: string): Write[] => {
  const domain = domainOf(email);
  return isPublicMail(domain) ? [] : [putWrite(GLOBAL_SCOPE, ownerDomains, { row: { domain, organizationId } })];
};

/** Whether an organization uses addresses of the domain. */
export async function hasOrganization(dynamo: Dynamo, email: string): Promise<boolean> {
  const found = await openTable(dynamo, GLOBAL_SCOPE)
    .rows(ownerDomains)
    .query(domainOf(email), { limit: 1, consistent: true });
  return found.length > 0;
}
