import { joinOrganization } from '#shared/people/join.ts';
import { issueTicket } from '#shared/people/ticket.ts';
import { users } from '#shared/people/user.ts';
import { openTable } from '#shared/platform/table/table.ts';
import type { LocalSystem } from './system.ts';

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const OWNER = { email: 'owner@example.org', name: 'Local Owner', timeZone, locale: 'en' } as const;
const LINK_SECONDS = 86_400;

/** A link that signs the owner of the first organization in, once. The first call makes the owner. */
export async function ownerLink({ baseUrl, connections }: LocalSystem, organizationId: string): Promise<string> {
  const table = openTable(connections.dynamo, organizationId);
  const known = await table.findUnique(users, { field: 'email', value: OWNER.email }, true);
  const joining = { ...OWNER, roles: [{ roleId: 'owner' as const }], managedBy: 'local' as const };
  const { personId } = known ?? (await joinOrganization(table, joining)).user;
  const token = await issueTicket(connections.dynamo, {
    purpose: 'sign_in',
    seconds: LINK_SECONDS,
    data: { personId },
  });
  return `${baseUrl}/sign-in#token=${token}`;
}
