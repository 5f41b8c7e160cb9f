import { accountOf, personOf } from '#shared/findings/triage/people.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import type { Table } from '#shared/platform/table/table.ts';

type People = { ownerId?: string | null | undefined; memberIds?: readonly string[] | undefined };

/** @throws validation_failed for somebody whom the organization does not know */
export async function assertPeople(table: Table, caller: Caller, { ownerId, memberIds = [] }: People): Promise<void> {
  if (ownerId) await personOf(table, caller, { path: 'ownerId', id: ownerId });
  await Promise.all(memberIds.map((id, n) => accountOf(table, caller, { path: `memberIds.${n}`, id })));
}
