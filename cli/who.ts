import { answerOf, type Client, Refused } from './client.ts';
import type { Access } from './credentials.ts';

type Person = { name: string; email: string; organization: string; roles: string };

/** Who a credential is: a person, or a program. @throws Refused for a credential that opens nothing */
export async function whoIs(client: Client, kind: Access['kind']): Promise<Person | { credential: string }> {
  try {
    const me = await answerOf(client.GET('/api/v1/users/me'));
    const organization = me.organizations.find(({ id }) => id === me.activeOrganizationId)?.name ?? '';
    return { name: me.name, email: me.email, organization, roles: me.roles.map(({ roleId }) => roleId).join(', ') };
  } catch (error) {
    if (kind === 'session' || !(error instanceof Refused) || error.code !== 'insufficient_scope') throw error;
    return { credential: 'a key or token that works, and is no person' };
  }
}
