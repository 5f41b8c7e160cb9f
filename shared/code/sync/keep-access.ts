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
    const current = await table.findUnique(repositories, { field: 'place', value: place }, true);
    const isMoved = current?.status === 'inaccessible' ? given === 'active' : given === 'inaccessible';
    if (current && isMoved && current.status !== 'deleted')
      await table.update(repositories, current, {
        status: given === 'active' && current.archived ? 'archived' : given,
      });
    return current !== undefined;
  }, isConflict);
  if (isKnown || given === 'inaccessible') return;
  const name = fullName.split('/').at(-1) ?? fullName;
  const visibility = isPrivate ? ('private' as const) : ('public' as const);
  const facts = { fullName, name, url: `https://${host}/${fullName}`, visibility };
  await keepRepository(hosted, { externalId, at: EARLIEST, facts });
}
