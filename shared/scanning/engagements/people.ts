import { workingAccounts } from '#shared/credentials/accounts.ts';
import { findStaff, homesOfStaff } from '#shared/credentials/staff.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { MAX_TRANSACTION } from '#shared/platform/table/io/commit.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import { assigned, type Engagement, peopleOf } from './engagement.ts';
import { type EngagementPart, engagementParts, partOf } from './engagement-part.ts';

type People = Pick<Engagement, 'leadId' | 'memberIds'>;

/**
 * Checks that new people are accounts of the organization or staff of the provider. People named before may stay, also
 * after they have left.
 * @throws validation_failed for anyone else
 */
export async function checkPeople(at: { table: Table; caller: Caller }, people: People, before?: People) {
  const known = [at.caller.id, ...(before ? assigned(before) : [])];
  const newcomers = assigned(people).filter((id) => !known.includes(id));
  const [own, staff] = await Promise.all([workingAccounts(at.table, newcomers), findStaff(at.table.dynamo, newcomers)]);
  const found = new Set([...own.keys(), ...staff.map(({ id }) => id)]);
  const stranger = newcomers.find((id) => !found.has(id));
  if (stranger === undefined) return;
  const problem = `must name users or service accounts of yours, or staff of the provider, not ${stranger}`;
  throw invalid(stranger === people.leadId ? 'leadId' : 'memberIds', problem);
}

/** A large team that changes with much else would not fit one transaction. @throws validation_failed */
export function assertFits(batch: Batch): void {
  if (batch.size() <= MAX_TRANSACTION) return;
  throw invalid('memberIds', 'too many changes at once: send a few people in each request');
}

type InvolvedPeople = People & Pick<Engagement, 'requestedBy'>;

/** Puts an engagement into the lists of its people. */
export const createParts = (table: Table, batch: Batch, engagement: InvolvedPeople & { id: string }): Promise<void> =>
  addParts(table, batch, { engagementId: engagement.id, people: peopleOf(engagement) });

/** Updates the lists after a change of people. */
export async function updateParts(
  table: Table,
  batch: Batch,
  { before, after, id }: { before: InvolvedPeople; after: InvolvedPeople; id: string },
): Promise<void> {
  const [had, has] = [peopleOf(before), peopleOf(after)];
  const gone = had.filter((person) => !has.includes(person));
  for (const [home, people] of await byHome(table, gone)) await removeParts(home, batch, { engagementId: id, people });
  await addParts(table, batch, { engagementId: id, people: has.filter((person) => !had.includes(person)) });
}

/** Takes an engagement that ends out of the lists of staff, which are their access. */
export async function endPartsOfStaff(table: Table, batch: Batch, engagement: People & { id: string }): Promise<void> {
  const homes = await homesOfStaff(table.dynamo, assigned(engagement));
  for (const [person, organizationId] of homes)
    await removeParts(inOrganization(table, organizationId), batch, { engagementId: engagement.id, people: [person] });
}

async function removeParts(home: Table, batch: Batch, { engagementId, people }: Parts): Promise<void> {
  for (const person of people) {
    const part = await home.findUnique(engagementParts, partOf(engagementId, person), true);
    if (part) batch.within(home.tenant).delete(engagementParts, part);
  }
}

type Parts = { engagementId: string; people: readonly string[] };

async function addParts(table: Table, batch: Batch, { engagementId, people }: Parts): Promise<void> {
  const { organizationId } = table;
  for (const [home, theirs] of await byHome(table, people)) {
    const ids = await home.reserve(engagementParts, theirs.length);
    for (const [n, personId] of theirs.entries()) {
      const part = home.stamp<EngagementPart>({ id: ids[n] ?? '', engagementId, personId, organizationId });
      batch.within(home.tenant).create(engagementParts, part);
    }
  }
}

/** Groups people by the table that has their lists: staff have theirs with the provider. */
async function byHome(table: Table, people: readonly string[]): Promise<Map<Table, string[]>> {
  const homes = await homesOfStaff(table.dynamo, people);
  const byId = Map.groupBy(people, (person) => homes.get(person) ?? table.organizationId);
  return new Map([...byId].map(([id, theirs]) => [inOrganization(table, id), theirs]));
}
