import type { Caller } from '#shared/auth/permissions.ts';
import { type Engagement, peopleOf } from '#shared/entities/engagement.ts';
import { type EngagementPart, engagementParts, partKey } from '#shared/entities/engagement-part.ts';
import { serviceAccounts } from '#shared/entities/service-account.ts';
import { invalid } from '#shared/http/errors.ts';
import type { Batch } from '#shared/table/batch.ts';
import type { Table } from '#shared/table/table.ts';

type People = Pick<Engagement, 'leadId' | 'memberIds'>;

/** @throws validation_failed for somebody who is not here */
export async function checkPeople(table: Table, caller: Caller, { leadId, memberIds }: People): Promise<void> {
  const others = [...new Set([...(leadId ? [leadId] : []), ...memberIds])].filter((id) => id !== caller.id);
  const accounts = await table.findMany(serviceAccounts, others);
  const known = new Set(accounts.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id));
  const stranger = others.find((id) => !known.has(id));
  if (stranger === undefined) return;
  throw invalid(stranger === leadId ? 'leadId' : 'memberIds', `nobody here has the id ${stranger}`);
}

export type Involved = People & Pick<Engagement, 'requestedBy'>;

/** Puts the engagement into the lists of the people who have to do with it. */
export async function involve(table: Table, batch: Batch, engagement: Involved & { id: string }): Promise<void> {
  const people = peopleOf(engagement);
  const ids = await table.reserve(engagementParts, people.length);
  for (const [n, personId] of people.entries()) {
    const part = table.stamp<EngagementPart>({ id: ids[n] ?? '', engagementId: engagement.id, personId });
    batch.create(engagementParts, part);
  }
}

/** The same after a change of people. */
export async function reinvolve(
  table: Table,
  batch: Batch,
  { before, after, id }: { before: Involved; after: Involved; id: string },
): Promise<void> {
  const [had, has] = [peopleOf(before), peopleOf(after)];
  const [gone, come] = [had.filter((person) => !has.includes(person)), has.filter((person) => !had.includes(person))];
  for (const person of gone) {
    const part = await table.findUnique(engagementParts, 'part', partKey(id, person));
    if (part) batch.delete(engagementParts, part);
  }
  const ids = come.length > 0 ? await table.reserve(engagementParts, come.length) : [];
  for (const [n, personId] of come.entries())
    batch.create(engagementParts, table.stamp<EngagementPart>({ id: ids[n] ?? '', engagementId: id, personId }));
}
