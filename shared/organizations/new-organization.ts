import { type AppliedTemplate, organizations, type StoredOrganization } from '#shared/credentials/organization.ts';
import { ownerDomainWrites } from '#shared/people/owner-domain.ts';
import { ApiError, conflict } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import { tellOrganization } from './change.ts';

type NewOrganization = Pick<StoredOrganization, 'name' | 'slug' | 'plan' | 'trialEndsAt' | 'consent'>;

type Founding<T> = {
  /** The address of the first owner. */
  email: string;
  /** Adds the first owner, with these writes in the same transaction. */
  addOwner: (theirs: Table, also: (batch: Batch) => void) => Promise<T>;
  /** Gives the organization what every one begins with. */
  prepare: (theirs: Table) => Promise<void>;
  applyTemplate?: ((theirs: Table) => Promise<AppliedTemplate>) | undefined;
};
type Founded<T> = { organization: StoredOrganization; owner: T };

/**
 * Creates an organization with everything of its template and adds its first owner, or does none of this: the
 * record comes last, in the transaction that adds the owner, and without the record nobody finds or enters what was written before.
 * @throws conflict for a slug that another organization has
 */
export const newOrganization = <T>(table: Table, wanted: NewOrganization, founding: Founding<T>): Promise<Founded<T>> =>
  // of two that are made of one name at once, the second gets another slug
  retry(
    () => makeOrganization(table, wanted, founding),
    (error) => !wanted.slug && isSlugTaken(error),
  );

const isSlugTaken = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'conflict' && error.details?.[0]?.path === 'slug';

async function makeOrganization<T>(
  table: Table,
  given: NewOrganization,
  { email, addOwner, prepare, applyTemplate }: Founding<T>,
): Promise<Founded<T>> {
  const all = inOrganization(table, GLOBAL_SCOPE);
  const slug = await freeSlug(all, given);
  const [id = ''] = await all.reserve(organizations, 1);
  const theirs = inOrganization(table, id);
  const applied = await applyTemplate?.(theirs);
  await prepare(theirs);
  const organization = all.stamp<StoredOrganization>({ ...given, id, slug, ...(applied && { template: applied }) });
  const owner = await addOwner(theirs, (batch) => {
    batch.within(GLOBAL_SCOPE).create(organizations, organization);
    batch.write(...ownerDomainWrites(id, email));
    // nobody reads the log of all organizations
    tellOrganization(batch, table.organizationId === GLOBAL_SCOPE ? theirs : table, { after: organization });
  });
  return { organization, owner };
}

const MAX_SLUG = 50;

/** The given slug, or one that is made of the name. */
async function freeSlug(all: Table, { name, slug }: NewOrganization): Promise<string> {
  const isTaken = (value: string) => all.findUnique(organizations, { field: 'slug', value }, true);
  if (slug && (await isTaken(slug)))
    throw conflict('Another organization has this slug.', [{ path: 'slug', message: `${slug} is taken` }]);
  if (slug) return slug;
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['organization'];
  const made = words.join('-').slice(0, MAX_SLUG).replace(/-$/, '');
  return (await isTaken(made)) ? `${made}-${newId().slice(-8)}` : made;
}
