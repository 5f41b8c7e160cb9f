import { answerMany } from '#shared/findings/bulk/answer-many.ts';
import { answerUndo } from '#shared/findings/bulk/undo-update.ts';
import { assigneeIn } from '#shared/findings/finding/filter.ts';
import { personOf } from '#shared/findings/triage/people.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { bodyMatching, withMatching } from '#shared/platform/filter/read.ts';
import { wantedBy } from '#shared/platform/http/many.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { given } from '#shared/platform/runtime/given.ts';
import type { ListQuery, Selection } from '#shared/platform/table/list.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { betweenDays, matchingIn, selected } from '#shared/soc/alerts/filter.ts';
import { changeSample } from '#shared/soc/alerts/preview.ts';
import { addNote, readTimeline } from '#shared/soc/alerts/timeline.ts';
import { incidentFilter } from '#shared/soc/incidents/filter-fields.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import type { IncidentFilter, socIncidentRoutes } from './routes.ts';
import { createIncident, updateIncident } from './save.ts';
import { listItems, view } from './view.ts';

function selectionOf(filter: IncidentFilter, caller: Caller): Selection {
  const { status, severity, assigneeId, memberId: member, detectedFrom: from, detectedTo: to, search } = filter;
  const where = given({ status, severity, member, assigneeId: assigneeIn(assigneeId, caller) });
  return { ...selected(where, search), ...betweenDays('detected', { from, to }), ...matchingIn(filter) };
}

const listQuery = (
  { paginateFrom, paginateSize, ids, ...filter }: IncidentFilter & PageRange,
  caller: Caller,
): ListQuery => ({
  paginateFrom,
  paginateSize,
  ids,
  ...selectionOf(filter, caller),
});

async function list({ table, caller, query }: { table: Table; caller: Caller; query: IncidentFilter & PageRange }) {
  const asked = listQuery(await withMatching({ table, caller }, incidentFilter, query), caller);
  return showPage(table.list(incidents, asked), (rows) => listItems(table, rows));
}

export const socIncidentHandlers: Handlers<typeof socIncidentRoutes> = {
  listIncidents: list,
  searchIncidents: list,

  createIncident: async (call) => view(call.table, await createIncident(call)),

  getIncident: async ({ table, params }) => view(table, await table.get(incidents, params.id)),

  updateIncident: async (call) => view(call.table, await updateIncident(call)),

  async updateIncidents(call) {
    const { table, caller, body } = call;
    const { changes, reason } = body;
    const asked = await bodyMatching({ table, caller }, incidentFilter, body);
    const wanted = wantedBy(asked, (filter) => selectionOf(filter, caller));
    if (Object.keys(changes).length === 0)
      throw invalid('changes', 'must have at least one field, such as {"status": "closed"}');
    const { assigneeId: id } = changes;
    const assignee = id ? await personOf(table, caller, { path: 'changes.assigneeId', id }) : undefined;
    const bulk = { changes, reason, assignee };
    const request = { operation: 'update_incidents', unit: 'incidents', wanted, input: bulk } as const;
    return answerMany(call, { ...request, entity: incidents, sampleOf: changeSample });
  },

  undoIncidentsUpdate: (call) => answerUndo(call, 'undoIncidentsUpdate'),

  listIncidentTimeline: ({ table, params, query }) =>
    readTimeline(table, { entity: incidents, id: params.id }, query.before),

  async addTimelineNote({ table, params, body }) {
    await table.get(incidents, params.id);
    return addNote(table, params.id, { at: now(), text: body.text });
  },
};
