import { organizations, type StoredOrganization } from '#shared/credentials/organization.ts';
import { inviteUser } from '#shared/people/invite.ts';
import type { User } from '#shared/people/user.ts';
import { ApiError, conflict } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import { applyTemplate } from './apply-template.ts';
import { tellOrganization } from './change.ts';
import type { OrganizationTemplate } from './organization-template.ts';

type NewOrganization = Pick<StoredOrganization, 'name' | 'slug' | 'plan' | 'trialEndsAt'> & {
  owner: Pick<User, 'email' | 'name'>;
};

/**
 * Creates an organization with everything of its template and invites its first administrator, or does none of this: the
 * record comes last, in the transaction of the invitation, and without the record nobody finds or enters what was written before.
 * @throws conflict for a slug that another organization has
 */
export const newOrganization = (
  context: Context,
  wanted: NewOrganization,
  template?: OrganizationTemplate,
): Promise<StoredOrganization> =>
  // of two that are made of one name at once, the second gets another slug
  retry(
    () => makeOrganization(context, wanted, template),
    (error) => !wanted.slug && isSlugTaken(error),
  );

const isSlugTaken = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'conflict' && error.details?.[0]?.path === 'slug';

async function makeOrganization(
  { connections, table }: Context,
  { owner, ...given }: NewOrganization,
  template?: OrganizationTemplate,
): Promise<StoredOrganization> {
  const all = inOrganization(table, GLOBAL_SCOPE);
  const slug = await freeSlug(all, given);
  const [id = ''] = await all.reserve(organizations, 1);
  const theirs = inOrganization(table, id);
  const applied = template ? await applyTemplate({ connections, table: theirs }, template) : undefined;
  const organization = all.stamp<StoredOrganization>({ ...given, id, slug, ...(applied && { template: applied }) });
  const administrator = { ...owner, timeZone: 'UTC', locale: 'en', roles: [{ roleId: 'owner' as const }] };
  const letter = { organizationName: given.name, invitedBy: table.actor.name };
  await inviteUser({ connections, table: theirs }, { ...administrator, ...letter }, (batch) => {
    batch.within(GLOBAL_SCOPE).create(organizations, organization);
    tellOrganization(batch, table, { after: organization });
  });
  return organization;
}

const MAX_SLUG = 50;

/** The given slug, or one that is made of the name. */
async function freeSlug(all: Table, { name, slug }: Omit<NewOrganization, 'owner'>): Promise<string> {
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
