import { type Follower, followers, MAX_FOLLOWERS } from '#shared/findings/finding/follower.ts';
import { getFinding } from '#shared/findings/view/find.ts';
import { accountNames } from '#shared/people/names.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict, fixedLimit } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { findingRoutes } from './routes.ts';

/** The followers of a finding, with those of findings that were merged into it, and with the names of now. */
async function listFollowers(table: Table, findingId: string): Promise<Follower[]> {
  const { finding } = await getFinding(table, findingId, true);
  const places = [finding.id, ...(finding.mergedFrom ?? []).map(({ id }) => id)];
  const rows = (
    await Promise.all(places.map((id) => table.rows(followers).query(id, { limit: MAX_FOLLOWERS, consistent: true })))
  ).flat();
  const names = await accountNames(
    table,
    rows.map(({ id }) => id),
  );
  const byId = new Map(rows.map(({ id, name, since }) => [id, { id, name: names.get(id) ?? name, since }]));
  return [...byId.values()];
}

/** @throws conflict for a program */
function assertPerson({ kind }: Caller): void {
  if (kind !== 'user') throw conflict('Only a person follows a finding: programs read GET /api/v1/events.');
}

type Names = 'listFindingFollowers' | 'followFinding' | 'unfollowFinding';

export const followerHandlers: Pick<Handlers<typeof findingRoutes>, Names> = {
  listFindingFollowers: async ({ table, params }) => ({ data: await listFollowers(table, params.id) }),

  async followFinding({ table, caller, params }) {
    const all = await listFollowers(table, params.id);
    assertPerson(caller);
    if (all.some(({ id }) => id === caller.id)) return { data: all };
    if (all.length >= MAX_FOLLOWERS) throw fixedLimit('A finding', MAX_FOLLOWERS, 'followers');
    const follower = { id: caller.id, name: caller.name, since: now() };
    await table.rows(followers).put({ ...follower, findingId: params.id });
    return { data: [...all, follower] };
  },

  async unfollowFinding({ table, caller, params }) {
    const { finding } = await getFinding(table, params.id, true);
    assertPerson(caller);
    for (const findingId of [finding.id, ...(finding.mergedFrom ?? []).map(({ id }) => id)])
      await table.rows(followers).remove({ findingId, id: caller.id });
    return { data: await listFollowers(table, params.id) };
  },
};
