import { now } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { invalid, Overtaken } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';

/** A person in one organization: the user there. */
export type Membership = { organizationId: string; userId: string };

/** A passkey (WebAuthn). It names the person, so it is looked for among the passkeys of that person alone. */
export type Passkey = {
  id: string;
  publicKey: string;
  /** Of the last signature; 0 for authenticators that do not count. */
  counter: number;
  transports: string[];
  /** Whether a password manager copies it to other devices. */
  synced: boolean;
  name: string;
  device: string;
  createdAt: string;
  lastUsedAt: string | null;
};

/** The time zone and the language in which somebody reads. */
export type Preferences = { timeZone: string; locale: string };

/**
 * A human being with one verified e-mail address. A person is a user of several organizations; what proves who they are
 * is here, and what they may do is in each organization.
 */
export type Person = {
  id: string;
  email: string;
  name: string;
  timeZone: string;
  locale: string;
  /** Who said the preferences; missing: nobody while one is the default, otherwise the person. */
  saidBy?: Partial<Record<keyof Preferences, 'directory' | 'person'>>;
  /** The person has used a link that was sent to the address. */
  verifiedAt: string | null;
  /** When sign-in letters were sent in the last hour. */
  lettersAt: string[];
  /** The authenticator app; it counts once it is confirmed. `lastStep`: of the last code that was used. */
  totp?: { sealed: string; confirmedAt: string | null; lastStep: number } | undefined;
  passkeys?: Passkey[] | undefined;
  /** Hashes of the recovery codes that are left. */
  recoveryCodes?: string[] | undefined;
  /** When codes were tried in the last hour, since the last right one. */
  codesAt?: string[];
  /** When codes of programs were entered in the last hour. */
  deviceCodesAt?: string[];
  memberships: Membership[];
  createdAt: string;
  /** Counts the changes: a writer names the number that it read. */
  change: number;
};

export const personRows = defineRow<Person, Pick<Person, 'id'>>({
  name: 'person',
  about: 'a human being with an e-mail address, and the users that they are; global key scope',
  key: ({ id }) => [id],
});

/** One person per address. */
export const addressRows = defineRow<{ email: string; personId: string }, { email: string }>({
  name: 'person-address',
  about: 'the person with an e-mail address; global key scope',
  key: ({ email }) => [email],
});

/** E-mail addresses are compared without letter case, although RFC 5321 lets hosts tell the cases apart. */
const plainAddress = (email: string): string => email.trim().toLowerCase();

const everywhere = (dynamo: Dynamo) => openTable(dynamo, GLOBAL_SCOPE);

export const findPerson = (dynamo: Dynamo, id: string): Promise<Person | undefined> =>
  everywhere(dynamo).rows(personRows).find({ id }, true);

export async function personWithAddress(dynamo: Dynamo, email: string): Promise<Person | undefined> {
  const found = await everywhere(dynamo)
    .rows(addressRows)
    .find({ email: plainAddress(email) }, true);
  return found && findPerson(dynamo, found.personId);
}

type NewPerson = Pick<Person, 'email' | 'name' | 'timeZone' | 'locale'>;

/** A person whom nobody has met before; nothing is stored yet. */
export const newPerson = ({ email, ...facts }: NewPerson): Person => ({
  id: newId(),
  email: plainAddress(email),
  ...facts,
  verifiedAt: null,
  lettersAt: [],
  memberships: [],
  createdAt: now(),
  change: 0,
});

/** Writes a person as read or newly made, with changes. @throws Overtaken when another writer was faster */
export function personWrites(before: Person, changes: Partial<Person>): Write[] {
  const row = { ...before, ...changes, change: before.change + 1 };
  const fail = () => new Overtaken();
  const isNew = before.change === 0;
  const expect = isNew ? 'absent' : { change: before.change };
  const put = putWrite(GLOBAL_SCOPE, personRows, { row, expect, fail });
  if (!isNew) return [put];
  const address = { email: row.email, personId: row.id };
  return [put, putWrite(GLOBAL_SCOPE, addressRows, { row: address, expect: 'absent', fail })];
}

/** A person's memberships are in one row. */
const MAX_MEMBERSHIPS = 100;

/** The change by which a person becomes a user of an organization. @throws validation_failed */
export function withMembership(
  { memberships }: Person,
  organizationId: string,
  userId: string,
): Pick<Person, 'memberships'> {
  if (memberships.length >= MAX_MEMBERSHIPS)
    throw invalid('email', `belongs to a person of ${MAX_MEMBERSHIPS} organizations, which is the most`);
  return { memberships: [...memberships, { organizationId, userId }] };
}
