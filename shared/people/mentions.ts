import * as z from 'zod';
import { Id, readOnly } from '#shared/platform/http/records.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type User, users } from './user.ts';

/** A person whom a comment names. */
const Mention = z.object({ id: Id, name: z.string() }).meta({ id: 'Mention' });
type Mention = z.infer<typeof Mention>;

/** A name behind an `@` that leads to nobody, or to several people. */
const Unresolved = z
  .object({
    text: z.string().meta({ example: '@ana' }),
    reason: z.enum(['unknown', 'ambiguous']),
    candidates: z
      .array(Mention)
      .meta({ description: 'of several people, the first ten: write `@` with the mail address' }),
  })
  .meta({ id: 'UnresolvedMention' });
type Unresolved = z.infer<typeof Unresolved>;

/** The people whom a comment names, and what its author learns of names that lead to nobody. */
export const mentions = readOnly(
  z.array(Mention).default([]).meta({
    description:
      'the people whom the text names: `@ana`, `@ana@example.com` or `@[Ana Lima]`. A subscription to `mentioned` notifies each once',
  }),
);
export const unresolved = z
  .array(Unresolved)
  .meta({ description: 'names in the text that lead to nobody, or to several people, who are not notified' });

/** A comment names so many people at most; further names are text. */
const MAX_MENTIONS = 20;
const MAX_CANDIDATES = 10;

/** Code has decorators and addresses of packages. */
const CODE = /```[^`]*```|`[^`\n]*`/g;
/** `@ana`, `@ana.lima@example.com`, or `@[Ana Lima]`; not the middle of a mail address. */
const NAMED =
  /(?<![\w@.])@(?:\[([^[\]\n]{1,120})\]|([\p{L}\d](?:[\p{L}\d._-]{0,80}[\p{L}\d])?(?:@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6})?))/gu;

/** The people of the organization whom a text names, and the names that lead to nobody or to several. */
export async function mentionsIn(table: Table, text: string) {
  const plain = text.replaceAll(CODE, ' ');
  const named = [...plain.matchAll(NAMED)].map(([, bracketed, word = '']) => bracketed ?? word);
  const names = [...new Set(named)].slice(0, MAX_MENTIONS);
  const found = await Promise.all(names.map(async (name) => ({ name, people: await peopleNamed(table, name) })));
  const mentions = new Map<string, Mention>();
  const unresolved: Unresolved[] = [];
  for (const { name, people } of found) {
    const [one] = people;
    const candidates = people.map((person) => ({ id: person.id, name: person.name }));
    if (one && people.length === 1) mentions.set(one.id, { id: one.id, name: one.name });
    else
      unresolved.push({
        text: `@${name}`,
        reason: people.length > 0 ? 'ambiguous' : 'unknown',
        candidates: candidates.slice(0, MAX_CANDIDATES),
      });
  }
  return { mentions: [...mentions.values()], unresolved };
}

const READ = 50;

/** The best fit counts: the mail address, then the whole name or what is before the @ of the address, then a part of the name. */
async function peopleNamed(table: Table, name: string): Promise<User[]> {
  const wanted = caseless(name);
  const { data } = await table.list(users, {
    search: name,
    where: { left: 'false' },
    paginateFrom: 0,
    paginateSize: READ,
  });
  const byAddress = data.filter(({ email }) => caseless(email) === wanted);
  const whole = data.filter(
    (user) => caseless(user.name) === wanted || caseless(user.email.split('@', 1)[0] ?? '') === wanted,
  );
  const byPart = data.filter((user) => user.name.split(/\s+/).some((part) => caseless(part) === wanted));
  return [byAddress, whole, byPart].find((some) => some.length > 0) ?? [];
}
