import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { repositories, repositoryPlace } from '../repositories/repository.ts';
import { EARLIEST, type Hosted, keepRepository } from './keep-repository.ts';

export type Access = 'active' | 'inaccessible';

type Named = { externalId: string; fullName: string; isPrivate: boolean };

/** Keeps that an installation may read a repository, or may not read it any more. */
export async function keepAccess(
  hosted: Hosted,
  { externalId, fullName, isPrivate }: Named,
  given: Access,
): Promise<void> {
  const { table, vendor, host } = hosted;
  const isKnown = await retry(async () => {
    const place = repositoryPlace({ vendor, host, externalId });
    const standing = await table.findUnique(repositories, { field: 'place', value: place }, true);
    const isMoved = standing?.status === 'inaccessible' ? given === 'active' : given === 'inaccessible';
    if (standing && isMoved && standing.status !== 'deleted')
      await table.update(repositories, standing, {
        status: given === 'active' && standing.archived ? 'archived' : given,
      });
    return standing !== undefined;
  }, isConflict);
  if (isKnown || given === 'inaccessible') return;
  const name = fullName.split('/').at(-1) ?? fullName;
  const visibility = isPrivate ? ('private' as const) : ('public' as const);
  const facts = { fullName, name, url: `https://${host}/${fullName}`, visibility };
  await keepRepository(hosted, { externalId, at: EARLIEST, facts });
}
