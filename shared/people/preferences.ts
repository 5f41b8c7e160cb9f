import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findPerson, type Person, type Preferences, personWrites } from './person.ts';
import { Locale, TimeZone, type User, users } from './user.ts';

/* The time zone and the language of a person: the directory or identity provider may say them, until the person chooses. */

export const DEFAULT_PREFERENCES: Preferences = { timeZone: 'UTC', locale: 'en' };
type Preference = keyof Preferences;
const PREFERENCES: readonly Preference[] = ['timeZone', 'locale'];

/** The valid ones of a zone and of languages, the most important first: directories expect that others are ignored. */
export function preferencesIn({ zone, languages }: { zone: unknown; languages: unknown[] }): Partial<Preferences> {
  const timeZone = TimeZone.safeParse(zone).data;
  const locale = languages.map(localeIn).find((one) => one !== undefined);
  return { ...(timeZone !== undefined && { timeZone }), ...(locale !== undefined && { locale }) };
}

/**
 * The language and the region of `de-CH`, of `de_CH`, as some providers write it, of a tag with a script, or of the first tag of a list
 * (`preferredLanguage`, RFC 7643, section 4.1.1). @returns undefined for a text that is no language
 */
function localeIn(said: unknown): string | undefined {
  if (typeof said !== 'string') return undefined;
  const [tag = ''] = said.trim().split(/[,;]/);
  const [language = '', ...others] = tag.split(/[-_]/);
  const region = others.find((part) => /^[a-z]{2}$/i.test(part))?.toUpperCase();
  return Locale.safeParse([language.toLowerCase(), region].filter(Boolean).join('-')).data;
}

/** Somebody else may say a preference again, or one that is the default and that nobody has said. */
const isOpen = ({ saidBy = {}, ...person }: Person, one: Preference): boolean =>
  saidBy[one] ? saidBy[one] === 'directory' : person[one] === DEFAULT_PREFERENCES[one];

/**
 * A user with the preferences that the directory or the identity provider says. Those that the person chose stay, and those of
 * a person of several organizations: none of them speaks for the others.
 */
export const followPreferences = (table: Table, user: User, said: Partial<Preferences>): Promise<User> =>
  retry(async () => {
    const wanted = PREFERENCES.filter((one) => said[one] !== undefined);
    const person = wanted.length > 0 ? await findPerson(table.dynamo, user.personId) : undefined;
    if (person?.memberships.length !== 1) return user;
    const changed = wanted.filter((one) => said[one] !== person[one] && isOpen(person, one));
    if (changed.length === 0) return user;
    const changes = Object.fromEntries(changed.map((one) => [one, said[one]]));
    const saidBy = { ...person.saidBy, ...Object.fromEntries(changed.map((one) => [one, 'directory'])) };
    const current = await table.get(users, user.id, true);
    return table.update(users, current, changes, (batch) =>
      batch.write(...personWrites(person, { ...changes, saidBy })),
    );
  });

/** The note that the person chose these. */
export const chosenByPerson = ({ saidBy }: Person, changes: Partial<Preferences>): Pick<Person, 'saidBy'> => ({
  saidBy: {
    ...saidBy,
    ...Object.fromEntries(PREFERENCES.filter((one) => changes[one] !== undefined).map((one) => [one, 'person'])),
  },
});
