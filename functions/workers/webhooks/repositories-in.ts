import { type Repository, repositories } from '#shared/code/repositories/repository.ts';
import type { Hosted } from '#shared/code/sync/keep-repository.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';

/** The repositories of an integration that lie in an account or a group, or in one below it, and were not deleted. */
export async function repositoriesIn({ table, integrationId }: Hosted, group: string): Promise<Repository[]> {
  const where = { integration: integrationId, status: ['active', 'archived', 'inaccessible'] };
  const known = await recordsOf(table, repositories, { where });
  const prefix = `${group.toLowerCase()}/`;
  return known.filter(({ fullName }) => fullName.toLowerCase().startsWith(prefix));
}
