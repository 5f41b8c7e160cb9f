import { isDeepStrictEqual } from 'node:util';
import { organizations, type StoredDeletion, type StoredOrganization } from '#shared/credentials/organization.ts';
import { openRequester, putDeletion } from '#shared/organizations/deletion.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';

type Tell = (line: string) => void;

const PAGE = 500;

/**
 * Takes over the current deletions of organizations: a deletion that was cancelled since must not begin, and a deletion
 * that was approved since stays. Cancels the deletion of an organization that is gone now, because the restoration
 * brings it back.
 */
export async function keepDeletions(live: Dynamo, restored: Dynamo, tell: Tell): Promise<void> {
  const all = openTable(restored, GLOBAL_SCOPE);
  let [from, total] = [0, 1];
  for (; from < total; from += PAGE) {
    const page = await all.list(organizations, { paginateFrom: from, paginateSize: PAGE });
    total = page.totalCount;
    const today = await openTable(live, GLOBAL_SCOPE).findMany(
      organizations,
      page.data.map(({ id }) => id),
    );
    const byId = new Map(today.map((one) => [one.id, one]));
    for (const then of page.data) {
      const deletion = deletionNow(then, byId.get(then.id));
      if (!deletion || isDeepStrictEqual(lasting(deletion), lasting(then.deletion))) continue;
      const table = openRequester(restored, deletion);
      const batch = table.batch();
      putDeletion(batch, table, { organization: then, deletion });
      await batch.commit();
      tell(`the deletion of ${then.name} (${then.id}) is ${deletion.status}, as today`);
    }
  }
}

function deletionNow(
  { deletion: then }: StoredOrganization,
  today: StoredOrganization | undefined,
): StoredDeletion | undefined {
  const version = (then?.version ?? 0) + 1;
  if (!today && then?.status === 'approved') {
    const cancelledBy = { id: 'restore', name: 'restoration of the stack' };
    return { ...then, version, status: 'cancelled', deletionAt: null, cancelledBy, cancelledAt: now() };
  }
  if (!today?.deletion) return undefined;
  // the restored table lacks the task of a deletion that has begun since: the sweeper begins it again
  const status = today.deletion.status === 'deleting' ? 'approved' : today.deletion.status;
  return then?.status === 'deleting' ? undefined : { ...today.deletion, version, status, taskId: null };
}

const lasting = (deletion: StoredDeletion | undefined) => deletion && { ...deletion, version: 0 };
