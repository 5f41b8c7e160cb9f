import { isDeepStrictEqual } from 'node:util';
import { assertMayGive } from '#shared/credentials/give-role.ts';
import { assertRoom, countInvitation, inviteAgain, inviteUser, nameOf } from '#shared/people/invite.ts';
import { joinOrganization } from '#shared/people/join.ts';
import { changeUser, deactivateUser, moveUser } from '#shared/people/move.ts';
import { personWithAddress } from '#shared/people/person.ts';
import { DEFAULT_PREFERENCES, followPreferences, preferencesIn } from '#shared/people/preferences.ts';
import { EmailAddress, MAX_NAME, type User, users } from '#shared/people/user.ts';
import { plainName } from '#shared/platform/http/records.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { check } from '#shared/platform/http/validate.ts';
import { ApiError, conflict, invalid } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { equalityOf, listAnswer, pageOf, rangeOf } from './list.ts';
import { patched } from './patch.ts';
import { USER_SCHEMA, UserBody } from './resources.ts';
import type { scimRoutes } from './routes.ts';

const MAX_USERS = 200;
/** The role of people whom a directory adds. */
const NEW_ROLE = 'viewer';

type ListCall = Call<typeof scimRoutes.listScimUsers>;
/** The part of a call that a change of a user needs. */
type By = Pick<Call<typeof scimRoutes.replaceScimUser>, 'connections' | 'table' | 'caller' | 'params'>;

/** A suspension is a decision of administrators here: the directory neither sees nor lifts it. */
const isThere = ({ status }: User): boolean => status !== 'deactivated';

/** A user as SCIM shows it (RFC 7643, section 4.1). */
export function shownUser(baseUrl: string, user: User) {
  const { id, name, email, timeZone: timezone, locale, directory, createdAt, updatedAt, version } = user;
  const { externalId, givenName, familyName, userName = email } = directory ?? {};
  const names = { ...(givenName && { givenName }), ...(familyName && { familyName }) };
  const location = `${baseUrl}/scim/v2/Users/${id}`;
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId && { externalId }),
    userName,
    name: { formatted: name, ...names },
    displayName: name,
    emails: [{ value: email, type: 'work' as const, primary: true as const }],
    preferredLanguage: locale,
    locale,
    timezone,
    active: isThere(user),
    meta: {
      resourceType: 'User' as const,
      created: createdAt,
      lastModified: updatedAt,
      location,
      version: `W/"${version}"`,
    },
  };
}

export async function listUsers({ connections, table, query }: ListCall) {
  const shown = (user: User) => shownUser(connections.settings.BASE_URL, user);
  const wanted = equalityOf(query.filter, ['userName', 'externalId', 'id', 'active']);
  if (wanted && wanted.attribute !== 'active') {
    const user = await userWith(table, wanted);
    return listAnswer(user ? [shown(user)] : [], user ? 1 : 0);
  }
  const range = rangeOf(query, MAX_USERS);
  const where = wanted && { left: String(wanted.value.toLowerCase() !== 'true') };
  const { data, totalCount } = await table.list(users, { ...pageOf(range), ...(where && { where }) });
  return listAnswer(data.slice(0, range.size).map(shown), totalCount, range.startIndex);
}

/** The user with a unique value. A user whom no directory has named yet is named by the address. */
async function userWith(table: Table, { attribute, value }: { attribute: string; value: string }) {
  if (attribute === 'id') return table.find(users, value, true);
  if (attribute === 'externalId') return table.findUnique(users, { field: attribute, value }, true);
  const name = value.trim().toLowerCase();
  const named = await table.findUnique(users, { field: 'userName', value: name }, true);
  if (named) return named;
  const addressed = await table.findUnique(users, { field: 'email', value: name }, true);
  return addressed?.directory === null ? addressed : undefined;
}

/** Adds a user. Only a person who is new becomes active without being asked. @throws conflict, validation_failed */
export async function createUser({ connections, table, caller, body }: Call<typeof scimRoutes.createScimUser>) {
  const email = addressOf(body) ?? body.userName;
  const address = EmailAddress.safeParse(email);
  if (!address.success) throw invalid('emails', 'must have an e-mail address, where userName is none');
  await assertFree(table, body.userName, address.data);
  await assertRoom(table);
  assertMayGive(caller, { role: NEW_ROLE });
  const facts = { ...factsOf(body), email: address.data, ...DEFAULT_PREFERENCES };
  const adding = { ...facts, roles: [{ roleId: NEW_ROLE }] };
  const isKnown = (await personWithAddress(table.dynamo, address.data)) !== undefined;
  if (isKnown) await countInvitation(table, address.data);
  const by = { organizationName: await nameOf(table), invitedBy: caller.name };
  const user = isKnown
    ? await inviteUser({ connections, table }, { ...adding, ...by })
    : (await joinOrganization(table, { ...adding, isNew: true })).user;
  const told = await followPreferences(table, user, preferencesOf(body));
  const made = body.active === false ? await leave({ table, caller, params: { id: user.id }, connections }) : told;
  return shownUser(connections.settings.BASE_URL, made);
}

async function assertFree(table: Table, userName: string, email: string): Promise<void> {
  const named = await userWith(table, { attribute: 'userName', value: userName });
  const known = named ?? (await table.findUnique(users, { field: 'email', value: email }, true));
  if (known)
    throw conflict(`The user ${known.id} has this userName or address: change that user instead.`, [
      { path: named ? 'userName' : 'emails', message: 'is taken' },
    ]);
}

/** The address of a body: the primary one, then that of the type work, then the first. */
function addressOf({ emails = [] }: UserBody): string | undefined {
  const given = emails.filter(({ value }) => value);
  const one = given.find(({ primary }) => primary) ?? given.find(({ type }) => type === 'work') ?? given[0];
  return one?.value?.toLowerCase();
}

/** The facts that the directory decides. */
function factsOf({ userName, externalId = null, displayName, name }: UserBody) {
  const { givenName = null, familyName = null, formatted } = name ?? {};
  const parts = [givenName, familyName].filter(Boolean).join(' ');
  const said = [displayName, formatted, parts, userName].map((one) => plainName(one ?? '', MAX_NAME));
  return {
    name: said.find(Boolean) ?? 'unnamed',
    managedBy: 'scim' as const,
    directory: { userName, externalId, givenName, familyName },
  };
}

const preferencesOf = ({ timezone: zone, preferredLanguage, locale }: UserBody) =>
  preferencesIn({ zone, languages: [preferredLanguage, locale] });

/** Makes a user what the body says; what it says already changes nothing. @throws not_found, read_only, conflict */
export async function replaceUser(by: By, body: UserBody) {
  const { connections, table, params } = by;
  const facts = factsOf(body);
  let user = await retry(async () => {
    const current = await table.get(users, params.id, true);
    const address = addressOf(body);
    if (address !== undefined && address !== current.email)
      throw new ApiError('read_only', 'emails: a person changes their address themselves');
    const { name, managedBy, directory } = current;
    return isDeepStrictEqual(facts, { name, managedBy, directory }) ? current : changeUser(table, current, facts);
  });
  user = await followPreferences(table, user, preferencesOf(body));
  if (body.active === false) user = await leave(by);
  if (body.active && !isThere(user)) user = await comeBack(by);
  return shownUser(connections.settings.BASE_URL, user);
}

/** Only an operation says a preference: one that is shown may be that of the person. */
const UNSAID = { preferredLanguage: undefined, locale: undefined, timezone: undefined };

/** RFC 7644, section 3.5.2: the same as PUT of the patched resource. */
export async function patchUser({ body, ...by }: Call<typeof scimRoutes.patchScimUser>) {
  const user = await by.table.get(users, by.params.id, true);
  const { emails, members: _, ...rest } = patched({ ...shownUser('', user), ...UNSAID }, body.Operations);
  return replaceUser(by, check(UserBody, { ...rest, emails }, 'body'));
}

/** Deactivates the user and revokes everything that the user made. */
export async function leave({ table, caller, params: { id } }: By): Promise<User> {
  for (;;) {
    const { made, remaining } = await deactivateUser({ table, caller }, id, true);
    if (remaining === 0 || made.apiKeys.length + made.linkTokens.length === 0) break;
  }
  return table.get(users, id, true);
}

/** The same user again. A person who never accepted is asked once more. */
async function comeBack({ connections, table, caller, params: { id } }: By): Promise<User> {
  const user = await moveUser({ table, caller }, id, 'activate');
  const by = { organizationName: await nameOf(table), invitedBy: caller.name };
  if (user.status === 'invited') await inviteAgain({ connections, table }, user, by);
  return user;
}
