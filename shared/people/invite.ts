import { organizations } from '#shared/credentials/organization.ts';
import { sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { countIn } from '#shared/platform/quotas/windows.ts';
import { conflict, fixedLimit } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import { type Letter, letterTask } from './letter.ts';
import { newPerson, personWithAddress, personWrites, withMembership } from './person.ts';
import { NO_MFA, type User, users } from './user.ts';

const INVITATION_DAYS = 3;
const MAX_USERS = 20_000;

type Invitation = Pick<User, 'email' | 'name' | 'timeZone' | 'locale' | 'roles'> &
  Partial<Pick<User, 'managedBy' | 'directory'>> & {
    organizationName: string;
    invitedBy: string;
  };

/**
 * Makes a user who is invited, and sends the invitation. The user has the given name until the person accepts: the
 * answer does not say whether the service knows the address.
 * @param also writes for the same transaction
 * @throws conflict for an address that a user of the organization has
 */
export async function inviteUser(
  context: Context,
  invitation: Invitation,
  also: (batch: Batch, user: User) => void = () => undefined,
): Promise<User> {
  const { table } = context;
  await assertRoom(table);
  const { user, task } = await retry(async () => {
    await assertNew(table, invitation.email);
    const person = (await personWithAddress(table.dynamo, invitation.email)) ?? newPerson(invitation);
    const { organizationName: _, invitedBy: __, managedBy = 'local', directory = null, ...facts } = invitation;
    const batch = table.batch();
    const about = {
      personId: person.id,
      managedBy,
      directory,
      identities: [],
      joinedAt: null,
      lastSignInAt: null,
      mfa: NO_MFA,
    };
    const draft = { ...facts, ...about, status: 'invited' } as const;
    const [id = ''] = await table.reserve(users, 1);
    const created = batch.create(users, table.stamp<User>({ id, ...draft }));
    batch.write(...personWrites(person, withMembership(person, table.organizationId, created.id)));
    const letter = letterTask(table, invitationLetter(created, invitation));
    batch.write(...letter.writes);
    also(batch, created);
    await batch.commit();
    return { user: created, task: letter.task };
  });
  await sendOutbox(context, { task });
  return user;
}

/** @throws conflict */
export async function assertRoom(table: Table): Promise<void> {
  const { totalCount } = await table.list(users, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_USERS) throw fixedLimit('An organization', MAX_USERS, 'users', 'people who left count, too');
}

/** How an invitation names the organization. */
export async function nameOf(table: Table): Promise<string> {
  const organization = await inOrganization(table, GLOBAL_SCOPE).find(organizations, table.organizationId);
  return organization?.name ?? 'an organization';
}

async function assertNew(table: Table, email: string): Promise<void> {
  const known = await table.findUnique(users, { field: 'email', value: email }, true);
  if (!known) return;
  throw conflict(`The user ${known.id} has this e-mail address and is ${known.status}: change that user instead.`);
}

const MAX_TO_ADDRESS = 5;
const MAX_IN_TRIAL = 50;

/**
 * An invitation has the names of the organization and of who invites, and anybody may begin a trial: without limits the service would
 * send letters of strangers to anybody. The provider's invitations of first owners have no limit. @throws limit_exceeded
 */
export async function countInvitation(table: Table, email: string): Promise<void> {
  const { dynamo, organizationId: source } = table;
  const counted = { name: 'invitation', refusal: 'limit_exceeded' } as const;
  const organization = await inOrganization(table, GLOBAL_SCOPE).find(organizations, source);
  if (organization?.trialEndsAt) await countIn(dynamo, { ...counted, source, most: MAX_IN_TRIAL, seconds: 86_400 });
  await countIn(dynamo, { ...counted, source: `${source} ${email}`, most: MAX_TO_ADDRESS, seconds: 3_600 });
}

/** Sends an invitation again; the links of earlier letters work until they expire. */
export async function inviteAgain(
  context: Context,
  user: User,
  by: Pick<Invitation, 'organizationName' | 'invitedBy'>,
) {
  await countInvitation(context.table, user.email);
  const { task, writes } = letterTask(context.table, invitationLetter(user, by));
  const batch = context.table.batch();
  batch.write(...writes);
  await batch.commit();
  await sendOutbox(context, { task });
}

function invitationLetter(
  user: Pick<User, 'id' | 'email' | 'personId'>,
  { organizationName, invitedBy }: Pick<Invitation, 'organizationName' | 'invitedBy'>,
): Letter {
  const data = { personId: user.personId, userId: user.id };
  return {
    to: user.email,
    subject: `Join ${organizationName}`,
    paragraphs: [
      `${invitedBy} invites you to ${organizationName} on the exposure management service.`,
      `The link works once, for ${INVITATION_DAYS} days. If you do not know ${organizationName}, ignore this letter.`,
    ],
    link: {
      label: 'Accept the invitation',
      page: '/invitation',
      ticket: { purpose: 'invitation', seconds: INVITATION_DAYS * 86_400, data },
    },
  };
}
