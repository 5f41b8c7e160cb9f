import { type FeedName, type FeedState, feedRows } from '#shared/advisories/feeds.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { newManyTask } from '#shared/findings/bulk/queue.ts';
import type { Rescoring } from '#shared/findings/sla/rescoring.ts';
import { queueNewTask, queueTask } from '#shared/platform/jobs/outbox.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { viewsGroup } from '#shared/platform/views/wake.ts';

const PAGE = 100;

type Round = {
  /** The place in the list of organizations from which organizations have still to be notified. */
  from: number;
  notify: (table: Table) => Promise<void>;
  /** Notes how far the round has come; undefined: it is over. */
  keep: (from: number | undefined) => Promise<unknown>;
};

/** Notifies each organization. A run continues where an earlier run stopped; some organizations are then notified twice. */
export async function notifyOrganizations(connections: Connections, { from, notify, keep }: Round): Promise<void> {
  const table = openTable(connections.dynamo, GLOBAL_SCOPE);
  for (let place = from; ; ) {
    const page = await table.list(organizations, { paginateFrom: place, paginateSize: PAGE });
    for (const { id } of page.data) await notify(openTable(connections.dynamo, id, systemActor));
    place += PAGE;
    const isDone = place >= page.totalCount;
    await keep(isDone ? undefined : place);
    if (isDone) return;
  }
}

/** Queues a task that rates findings of an organization; a second task of the same kind finds nothing to change. */
export async function queueRescoring(context: Context, input: Rescoring): Promise<void> {
  await queueNewTask(context, newManyTask(context.table, { operation: 'rescore_findings', input }));
}

/** Findings are rated by EPSS and KEV, and vulnerabilities by all feeds: a task for either. */
async function queueMoved(context: Context, { feed, moved }: Moved): Promise<void> {
  if (feed === 'epss' || feed === 'kev') await queueRescoring(context, { moved });
  const send = { group: viewsGroup(context.table) };
  const rescoring = { operation: 'rescore_vulnerabilities', job: 'views', unit: 'vulnerabilities' } as const;
  await queueTask(context, { ...rescoring, input: { moved }, send });
}

type Moved = { feed: FeedName; moved: string };

/** Notifies each organization of the vulnerabilities that moved in a feed. */
export async function notifyOfFeed(
  connections: Connections,
  { feed, telling }: Pick<FeedState, 'feed' | 'telling'>,
): Promise<void> {
  if (!telling) return;
  const { file } = telling;
  const rows = openTable(connections.dynamo, GLOBAL_SCOPE).rows(feedRows);
  await notifyOrganizations(connections, {
    from: telling.from,
    notify: (table) => queueMoved({ connections, table }, { feed, moved: file }),
    keep: (from) => rows.set({ feed }, { telling: from === undefined ? undefined : { file, from } }),
  });
}
