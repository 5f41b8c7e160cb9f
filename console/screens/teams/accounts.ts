import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';

const MAX_SHOWN = 200;
const query = { paginateSize: MAX_SHOWN };

/** The people, service accounts and teams of the organization, for choices. Only administrators see service accounts. */
export const useAccounts = question(async () => {
  const [users, accounts, teams] = await Promise.all([
    answerOf(client.GET('/api/v1/users', { params: { query } })),
    answerOf(client.GET('/api/v1/organization/service-accounts', { params: { query } })).catch(() => ({ data: [] })),
    answerOf(client.GET('/api/v1/teams', { params: { query } })),
  ]);
  const option = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
  const isActive = ({ status }: { status: string }) => status === 'active';
  return {
    accounts: [...users.data.filter(isActive), ...accounts.data.filter(isActive)].map(option),
    teams: teams.data.map(option),
    names: new Map([...users.data, ...accounts.data].map(({ id, name }) => [id, name])),
  };
});
