import type { Caller } from '#shared/auth/permissions.ts';
import { incidents } from '#shared/entities/incident.ts';
import { assigneeIn } from '#shared/findings/filter.ts';
import { showPage } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import { now } from '#shared/runtime/clock.ts';
import { given } from '#shared/runtime/given.ts';
import { betweenDays, selected } from '#shared/soc/filter.ts';
import { addNote, readTimeline } from '#shared/soc/timeline.ts';
import type { ListQuery } from '#shared/table/list.ts';
import type { PageRange } from '#shared/table/paging.ts';
import type { Table } from '#shared/table/table.ts';
import type { IncidentFilter, socIncidentRoutes } from './routes.ts';
import { createIncident, updateIncident } from './save.ts';
import { listItems, view } from './view.ts';

function listQuery({ paginateFrom, paginateSize, ...filter }: IncidentFilter & PageRange, caller: Caller): ListQuery {
  const { status, severity, assigneeId, memberId: member, detectedFrom: from, detectedTo: to, search } = filter;
  const where = given({ status, severity, member, assigneeId: assigneeIn(assigneeId, caller) });
  return { paginateFrom, paginateSize, ...selected(where, search), ...betweenDays('detected', { from, to }) };
}

const list = (table: Table, query: ListQuery) =>
  showPage(table.list(incidents, query), (rows) => listItems(table, rows));

export const socIncidentHandlers: Handlers<typeof socIncidentRoutes> = {
  listIncidents: ({ table, caller, query }) => list(table, listQuery(query, caller)),

  searchIncidents: ({ table, caller, query }) => list(table, listQuery(query, caller)),

  createIncident: async (call) => view(call.table, await createIncident(call)),

  getIncident: async ({ table, params }) => view(table, await table.get(incidents, params.id)),

  updateIncident: async (call) => view(call.table, await updateIncident(call)),

  async listIncidentTimeline({ table, params, query }) {
    await table.get(incidents, params.id);
    return readTimeline(table, params.id, query.before);
  },

  async addTimelineNote({ table, params, body }) {
    await table.get(incidents, params.id);
    return addNote(table, params.id, { at: now(), text: body.text });
  },
};
