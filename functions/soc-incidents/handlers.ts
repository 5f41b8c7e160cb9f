import type { Caller } from '#shared/auth/permissions.ts';
import { incidents } from '#shared/entities/incident.ts';
import { assigneeIn } from '#shared/findings/filter.ts';
import type { Item } from '#shared/findings/many/found.ts';
import { previewEach } from '#shared/findings/many/preview-each.ts';
import { queueMany } from '#shared/findings/many/queue.ts';
import { undoUpdate } from '#shared/findings/many/undo-update.ts';
import { personOf } from '#shared/findings/people.ts';
import { wantedBy } from '#shared/http/many.ts';
import { showPage } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import { answerWithin } from '#shared/jobs/wait.ts';
import { now } from '#shared/runtime/clock.ts';
import { invalid } from '#shared/runtime/errors.ts';
import { given } from '#shared/runtime/given.ts';
import { decidedOnEach, incidentsKind } from '#shared/soc/bulk.ts';
import { betweenDays, selected } from '#shared/soc/filter.ts';
import { changeSample } from '#shared/soc/preview.ts';
import { addNote, readTimeline } from '#shared/soc/timeline.ts';
import type { ListQuery, Selection } from '#shared/table/list.ts';
import type { PageRange } from '#shared/table/paging.ts';
import type { Table } from '#shared/table/table.ts';
import type { IncidentFilter, socIncidentRoutes } from './routes.ts';
import { createIncident, updateIncident } from './save.ts';
import { listItems, view } from './view.ts';

function selectionOf(filter: IncidentFilter, caller: Caller): Selection {
  const { status, severity, assigneeId, memberId: member, detectedFrom: from, detectedTo: to, search } = filter;
  const where = given({ status, severity, member, assigneeId: assigneeIn(assigneeId, caller) });
  return { ...selected(where, search), ...betweenDays('detected', { from, to }) };
}

const listQuery = (
  { paginateFrom, paginateSize, ...filter }: IncidentFilter & PageRange,
  caller: Caller,
): ListQuery => ({
  ...{ paginateFrom, paginateSize },
  ...selectionOf(filter, caller),
});

const list = (table: Table, query: ListQuery) =>
  showPage(table.list(incidents, query), (rows) => listItems(table, rows));

const UNDO = { of: 'update_incidents', by: 'undo_incidents_update', name: 'change of many incidents' } as const;

export const socIncidentHandlers: Handlers<typeof socIncidentRoutes> = {
  listIncidents: ({ table, caller, query }) => list(table, listQuery(query, caller)),

  searchIncidents: ({ table, caller, query }) => list(table, listQuery(query, caller)),

  createIncident: async (call) => view(call.table, await createIncident(call)),

  getIncident: async ({ table, params }) => view(table, await table.get(incidents, params.id)),

  updateIncident: async (call) => view(call.table, await updateIncident(call)),

  async updateIncidents({ table, connections, caller, body, query }) {
    const { changes, reason } = body;
    const wanted = wantedBy(body, (filter) => selectionOf(filter, caller));
    if (Object.keys(changes).length === 0)
      throw invalid('changes', 'must have at least one field, such as {"status": "closed"}');
    const { assigneeId: id } = changes;
    const assignee = id ? await personOf(table, caller, { path: 'changes.assigneeId', id }) : undefined;
    const bulk = { changes, reason, assignee };
    const decide = (items: readonly Item[]) => decidedOnEach(table, incidentsKind, { items, bulk });
    if (body.dryRun)
      return { preview: await previewEach(table, wanted, { entity: incidents, decide, sampleOf: changeSample }) };
    const request = { operation: 'update_incidents', unit: 'incidents', wanted, input: bulk } as const;
    return answerWithin(table, await queueMany(connections, table, request), query.waitSeconds);
  },

  undoIncidentsUpdate: async ({ table, connections, params, query }) =>
    answerWithin(table, await undoUpdate({ connections, table }, UNDO, params.taskId), query.waitSeconds),

  listIncidentTimeline: ({ table, params, query }) =>
    readTimeline(table, { entity: incidents, id: params.id }, query.before),

  async addTimelineNote({ table, params, body }) {
    await table.get(incidents, params.id);
    return addNote(table, params.id, { at: now(), text: body.text });
  },
};
