import * as z from 'zod';
import type { Event } from '#shared/events/event.ts';
import { followers } from '#shared/findings/finding/follower.ts';
import { teams } from '#shared/people/team.ts';
import { partOf, roleOf, type User, users } from '#shared/people/user.ts';
import { withGrants } from '#shared/platform/auth/role-grants.ts';
import { isVisible } from '#shared/platform/feed/visible.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { type FactsBySubject, isListed, recordsBehind } from './facts.ts';
import { stops } from './stop.ts';
import type { Subscription } from './subscription.ts';

const MAX_PEOPLE = 500;

type Asked = { subscription: Subscription; events: readonly Event[]; facts: FactsBySubject };

/** The users who get events by a subscription, each with the events of records that the user may see. */
export async function addressed(table: Table, asked: Asked): Promise<{ user: User; events: Event[] }[]> {
  const wanted = await wantedBy(table, asked);
  const found = await table.findMany(users, [...wanted.keys()]);
  const all: { user: User; events: Event[] }[] = [];
  for (const user of found.filter(({ status }) => status === 'active')) {
    const others = (wanted.get(user.id) ?? []).filter(({ data }) => data.actor.id !== user.id);
    const events = await seenBy(table, user, others);
    const isStopped = events.length > 0 && (await hasStopped(table, asked.subscription.id, user.id));
    if (events.length > 0 && !isStopped) all.push({ user, events });
  }
  return all;
}

const hasStopped = async (table: Table, source: string, userId: string): Promise<boolean> =>
  (await table.rows(stops).find({ source, userId }, true)) !== undefined;

/** The events by the users who are meant, before the rights of the users are looked at. */
async function wantedBy(table: Table, { subscription, events, facts }: Asked): Promise<Map<string, Event[]>> {
  const { to, ownerId } = subscription;
  const toAll = (ids: readonly string[]) => new Map(ids.map((id) => [id, [...events]]));
  switch (to?.kind) {
    case 'me':
      return toAll(ownerId === null ? [] : [ownerId]);
    case 'person':
      return toAll(to.id === null ? [] : [to.id]);
    case 'administrators':
      return toAll(await administrators(table));
    case 'team':
      return toAll(await withMembers(table, to.id === null ? [] : [to.id]));
    case 'assignee':
      return byRecord(table, events, ({ subject }) => facts.get(subject)?.assigneeId);
    case 'asset_owner':
      return byRecord(table, events, ({ subject }) => facts.get(subject)?.ownerId);
    case 'mentioned':
      return byPeople(events, async (event) => newlyNamed(event));
    case 'followers':
      return byPeople(events, (event) => followersOf(table, event));
    default:
      return new Map();
  }
}

async function administrators(table: Table): Promise<string[]> {
  const asked = { filter: { status: 'active' }, where: { role: ['owner', 'admin'] } };
  const { data } = await table.list(users, { paginateFrom: 0, paginateSize: MAX_PEOPLE, ...asked });
  return data.map(({ id }) => id);
}

/** The ids with the members of those that are teams. */
async function withMembers(table: Table, ids: readonly string[]): Promise<string[]> {
  const found = await table.findMany(teams, ids);
  return [...new Set([...ids, ...found.flatMap(({ memberIds }) => memberIds)])];
}

async function byRecord(
  table: Table,
  events: readonly Event[],
  ofRecord: (event: Event) => string | undefined,
): Promise<Map<string, Event[]>> {
  const wanted = new Map<string, Event[]>();
  for (const [id, some] of Map.groupBy(events, ofRecord))
    for (const person of id === undefined ? [] : await withMembers(table, [id]))
      wanted.set(person, [...(wanted.get(person) ?? []), ...some]);
  for (const [person, some] of wanted)
    wanted.set(
      person,
      some.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
  return wanted;
}

/** The events by the people of each, in the order of the events. */
async function byPeople(
  events: readonly Event[],
  peopleOf: (event: Event) => Promise<readonly string[]>,
): Promise<Map<string, Event[]>> {
  const wanted = new Map<string, Event[]>();
  for (const event of events)
    for (const person of await peopleOf(event)) wanted.set(person, [...(wanted.get(person) ?? []), event]);
  return wanted;
}

const Mentions = z.array(z.object({ id: z.string() })).catch([]);

/** The people whom a comment names now, and did not name before. */
function newlyNamed({ data }: Event): string[] {
  const [now, before] = [data.fields.mentions?.to, data.fields.mentions?.from].map((one) => Mentions.parse(one ?? []));
  const known = new Set(before?.map(({ id }) => id));
  return (now ?? []).flatMap(({ id }) => (known.has(id) ? [] : id));
}

/** The followers of the finding that an event is about, or to which its comment belongs. */
async function followersOf(table: Table, { data }: Event): Promise<string[]> {
  const of = data.entity === 'finding' ? data.id : data.fields.findingId?.to;
  return typeof of === 'string' ? (await table.rows(followers).query(of)).map(({ id }) => id) : [];
}

/** The events of records that a user may read: by the role, and with a part only those that the user's lists show now. */
async function seenBy(table: Table, user: User, events: readonly Event[]): Promise<Event[]> {
  const { dynamo, organizationId } = table;
  const [role, part] = [roleOf(user), partOf(user)];
  const caller = { id: user.id, name: user.name, organizationId, kind: 'user' as const };
  const holder = await withGrants(dynamo, organizationId, { ...caller, role, part });
  const readable = events.filter(({ data }) => isVisible(holder, data));
  if (!part || readable.length === 0) return readable;
  const theirs = openTable(dynamo, organizationId, undefined, { ...part, personId: user.id });
  const shown = await recordsBehind(
    theirs,
    readable.filter(({ data }) => isListed(data.entity)),
  );
  return readable.filter(({ subject }) => shown.has(subject));
}
