import { type Repository, repositories } from '#shared/code/repositories/repository.ts';
import type { Hosted } from '#shared/code/sync/keep-repository.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';

/** The undeleted repositories of an integration in an account or a group, or in a subgroup. */
export async function repositoriesIn({ table, integrationId }: Hosted, group: string): Promise<Repository[]> {
  const where = { integration: integrationId, status: ['active', 'archived', 'inaccessible'] };
  const known = await recordsOf(table, repositories, { where });
  const prefix = `${group.toLowerCase()}/`;
  return known.filter(({ fullName }) => fullName.toLowerCase().startsWith(prefix));
}
