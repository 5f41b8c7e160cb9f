import { keepRepository } from '#shared/code/sync/keep-repository.ts';
import { textAt } from '#shared/reports/readers/json.ts';
import type { Effect, HostEvent } from './event.ts';
import { repositoriesIn } from './repositories-in.ts';

const renamed =
  ([was, is]: [string, string], effect: string) =>
  async ({ body, hosted }: HostEvent): Promise<Effect> => {
    const [from, to] = [textAt(body, was), textAt(body, is)];
    if (!from || !to) return { ignored: 'it names no group' };
    for (const { externalId, fullName, name } of await repositoriesIn(hosted, from)) {
      const path = `${to}${fullName.slice(from.length)}`;
      const facts = { fullName: path, name, url: `https://${hosted.host}/${path}` };
      await keepRepository(hosted, { externalId, at: hosted.receivedAt, facts });
    }
    return [effect];
  };

/** A group or a user with another path: their projects have one, too. https://docs.gitlab.com/administration/system_hooks/ */
export const renameGroup = renamed(['old_full_path', 'full_path'], 'group_renamed');
export const renameUser = renamed(['old_username', 'username'], 'user_renamed');

/** Deletes the projects of a deleted group. */
export async function deleteGroup({ body, hosted }: HostEvent): Promise<Effect> {
  const path = textAt(body, 'full_path');
  if (!path) return { ignored: 'it names no group' };
  for (const { externalId, fullName, name, url } of await repositoriesIn(hosted, path)) {
    const facts = { fullName, name, url };
    await keepRepository(hosted, { externalId, at: hosted.receivedAt, facts, status: 'deleted' });
  }
  return ['group_deleted'];
}
