import { type FindingQuery, findingQuery } from '#shared/findings/finding/filter.ts';
import { findingFilter } from '#shared/findings/finding/filter-fields.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { findingHistory } from '#shared/findings/triage/history.ts';
import { tableOfFinding } from '#shared/findings/triage/of-engagement.ts';
import { getFinding } from '#shared/findings/view/find.ts';
import { lastSeen } from '#shared/findings/view/last-seen.ts';
import { listFindings } from '#shared/findings/view/listed.ts';
import { findingView } from '#shared/findings/view/view.ts';
import { withPresentName } from '#shared/people/present-names.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { findingTicketLink } from '#shared/ticketing/keys.ts';
import { commentHandlers } from './comments.ts';
import { followerHandlers } from './followers.ts';
import type { findingRoutes } from './routes.ts';
import { updateFinding } from './update-finding.ts';
import { readWhyOpen } from './why-open.ts';

const MAX_HISTORY = 500;

type Listed = Context & { caller: Caller; query: FindingQuery };

async function list({ table, connections, caller, query }: Listed) {
  const asked = await withMatching({ table, caller }, findingFilter, query);
  return listFindings({ table, connections }, findingQuery(asked, caller));
}

export const findingHandlers: Handlers<typeof findingRoutes> = {
  listFindings: list,
  searchFindings: list,

  async getFinding({ table, connections, params }) {
    return shown({ table, connections }, (await getFinding(table, params.id)).finding);
  },

  async updateFinding({ table: own, connections, caller, params, query, body, ifMatch }) {
    const table = await tableOfFinding(own, caller, { ...params, ...query });
    const change = { connections, table, caller, id: params.id, patch: body, ifMatch };
    return shown({ table, connections }, await updateFinding(change));
  },

  ...commentHandlers,
  ...followerHandlers,

  async listFindingHistory({ table, params }) {
    await getFinding(table, params.id);
    const changes = await table.rows(findingHistory).query(params.id, { limit: MAX_HISTORY, backward: true });
    return changes.map(({ findingId: _findingId, ...change }) => {
      const { reason = null, scanTaskId = null, taskId = null, vulnerabilityIds = [] } = change;
      return { ...change, reason, scanTaskId, taskId, vulnerabilityIds };
    });
  },
};

/** A finding with its last sighting, the path of its ticket and why it is open. */
async function shown({ table, connections }: Context, stored: StoredFinding) {
  const [seen, ticket, named] = await Promise.all([
    lastSeen(connections.bucket, table, [stored]),
    findingTicketLink(table, stored),
    withPresentName(table, 'assignee', stored),
  ]);
  const view = findingView(named, seen.get(stored.id));
  const whyOpen = await readWhyOpen({ table, connections }, stored, seen.get(stored.id));
  return { ...view, links: { ...view.links, ...ticket }, whyOpen };
}
