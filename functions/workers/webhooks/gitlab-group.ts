import { type Repository, repositories } from '#shared/entities/repository.ts';
import { textAt } from '#shared/reports/json.ts';
import { ordinalsOf, recordsAt } from '#shared/table/selected.ts';
import type { Effect, HostEvent } from './event.ts';
import { keepRepository } from './keep-repository.ts';

/** A group with another path: its projects have one, too. https://docs.gitlab.com/administration/system_hooks/ */
export async function renameGroup({ body, hosted }: HostEvent): Promise<Effect> {
  const [was, is] = [textAt(body, 'old_full_path'), textAt(body, 'full_path')];
  if (!was || !is) return { ignored: 'it names no group' };
  for (const { externalId, fullName, name } of await projectsIn({ hosted }, was)) {
    const path = `${is}${fullName.slice(was.length)}`;
    const facts = { fullName: path, name, url: `https://${hosted.host}/${path}` };
    await keepRepository(hosted, { externalId, at: hosted.receivedAt, facts });
  }
  return ['group_renamed'];
}

/** The projects of a group that was deleted are deleted with it. */
export async function deleteGroup({ body, hosted }: HostEvent): Promise<Effect> {
  const path = textAt(body, 'full_path');
  if (!path) return { ignored: 'it names no group' };
  for (const { externalId, fullName, name, url } of await projectsIn({ hosted }, path)) {
    const facts = { fullName, name, url };
    await keepRepository(hosted, { externalId, at: hosted.receivedAt, facts, status: 'deleted' });
  }
  return ['group_deleted'];
}

async function projectsIn({ hosted }: Pick<HostEvent, 'hosted'>, group: string): Promise<Repository[]> {
  const { table, integrationId } = hosted;
  const where = { integration: integrationId, status: ['active', 'archived', 'inaccessible'] };
  const known = await recordsAt(table, repositories, await ordinalsOf(table, repositories, { where }));
  return known.filter(({ fullName }) => fullName.startsWith(`${group}/`));
}
