import { answerOf, Refused } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { facts } from '../table.ts';

/** `exposure whoami` */
export const define: Define = (command, act) => {
  command.action(
    act(async (context) => {
      const shown = await whoami(context);
      context.print(context.options.json ? JSON.stringify(shown) : facts(context, shown));
      return undefined;
    }),
  );
};

/** The person or the key, and where from. @throws Refused for a credential that opens nothing */
async function whoami(context: Context): Promise<Record<string, string>> {
  const { url, name, kind } = await context.access();
  const client = await context.client();
  const from = { service: url, profile: name ?? 'none, the environment has the key' };
  try {
    const me = await answerOf(client.GET('/api/v1/users/me'));
    const organization = me.organizations.find(({ id }) => id === me.activeOrganizationId)?.name ?? '';
    const roles = me.roles.map(({ roleId }) => roleId).join(', ');
    return { ...from, name: me.name, email: me.email, organization, roles };
  } catch (error) {
    if (kind === 'session' || !(error instanceof Refused) || error.code !== 'insufficient_scope') throw error;
    return { ...from, credential: 'a key or token that works, and is no person' };
  }
}
