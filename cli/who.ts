import { answerOf, type Client } from './client.ts';

type Who = { name: string; kind: string; organization: string };

/** Who a credential is to its service, and what it opens, as people read it. @throws Refused for a credential that opens nothing */
export async function whoIs(client: Client): Promise<Who> {
  const current = await answerOf(client.GET('/api/v1/organization/credential'));
  const { name, kind, organization, role, scopes, boundTo, machine } = current;
  const who = {
    name,
    kind: (machine ?? kind).replaceAll('_', ' '),
    organization: `${organization.name} (${organization.id})`,
  };
  if (kind === 'user') return { ...who, ...(await ofPerson(client)) };
  return {
    ...who,
    ...(role && { role }),
    ...(scopes && { scopes: scopes.join(', ') }),
    ...(boundTo && { repositories: boundTo.repositories.join(', ') }),
    ...(boundTo?.refs && { branches: boundTo.refs.join(', ') }),
  };
}

async function ofPerson(client: Client) {
  const { email, roles } = await answerOf(client.GET('/api/v1/users/me'));
  return { kind: 'person', email, roles: roles.map(({ roleId }) => roleId).join(', ') };
}
