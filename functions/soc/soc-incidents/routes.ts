import * as z from 'zod';
import { Day } from '#shared/findings/finding/filter.ts';
import { reads, writes } from '#shared/platform/auth/access.ts';
import { teamFilterParameters } from '#shared/platform/filter/read.ts';
import { dryRun, whichOf } from '#shared/platform/http/many.ts';
import { anyOf, Listing, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { createBody, objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post } from '#shared/platform/http/route.ts';
import { answerOrPreview, WaitedResponse, WaitSeconds } from '#shared/platform/jobs/wait.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { incidentAssignee } from '#shared/soc/alerts/filter.ts';
import { ChangePreview } from '#shared/soc/alerts/preview.ts';
import { Before, TimelineEntry } from '#shared/soc/alerts/records.ts';
import { INCIDENT_STATUSES } from '#shared/soc/alerts/soc-status.ts';
import { IncidentBulkChanges } from '#shared/soc/incidents/bulk.ts';
import { Incident } from '#shared/soc/incidents/incident.ts';

const path = '/api/v1/soc/incidents';

const filters = {
  ...teamFilterParameters,
  status: anyOf(z.enum(INCIDENT_STATUSES)).optional(),
  severity: anyOf(Severity).optional(),
  assigneeId: incidentAssignee,
  memberId: z.string().min(1).max(120).optional(),
  detectedFrom: Day.optional().meta({ description: 'incidents that were detected on this day (UTC) or later' }),
  detectedTo: Day.optional().meta({ description: 'incidents that were detected on this day or earlier' }),
};
export type IncidentFilter = z.output<z.ZodObject<typeof filters>> & {
  search?: string | undefined;
  matching?: Marked;
};

const reason = z.string().trim().min(1).max(300).nullish().meta({
  description: 'kept in the timeline with the changes of this request',
});
const IncidentsUpdate = objectNamed('IncidentsUpdate', {
  ...whichOf('incidents', filters),
  changes: IncidentBulkChanges.default({}).meta({ example: { status: 'closed' } }),
  reason: reason.unwrap().unwrap().optional(),
  dryRun,
});
const IncidentsUpdateAnswer = answerOrPreview(ChangePreview.meta({ id: 'IncidentsPreview' })).meta({
  id: 'IncidentsUpdateAnswer',
});

const IncidentUpdate = Incident.extend({ reason }).meta({ id: 'IncidentUpdate' });

export const socIncidentRoutes = defineRoutes({
  listIncidents: get(path, {
    summary: 'List incidents, newest first',
    description: 'The filters combine with each other and with the words of the search. `alerts` comes from counters.',
    access: reads('soc:read'),
    inPart: 'seen',
    query: Listing.extend(filters),
    response: searchPageOf(Incident),
  }),
  searchIncidents: get(`${path}/search`, {
    summary: 'Search incidents by the words of their title',
    description:
      'Each word must be the beginning of a word of the title. The filters of the list combine with the words.',
    access: reads('soc:read'),
    inPart: 'seen',
    query: SearchQuery.extend(filters),
    response: searchPageOf(Incident),
  }),
  createIncident: post(path, {
    summary: 'Create an incident from alerts of the same attack',
    description: 'An alert belongs to at most one incident: an alert of another incident moves to the new one.',
    access: writes('soc:write'),
    inPart: 'seen',
    body: createBody(Incident.omit({ status: true })),
    response: Incident,
  }),
  getIncident: get(`${path}/{id}`, {
    summary: 'Read an incident with its alerts',
    description: '`alertIds` are the newest 500 alerts; `alerts` counts all alerts and the open alerts.',
    access: reads('soc:read'),
    inPart: 'seen',
    response: Incident,
  }),
  updateIncident: patch(`${path}/{id}`, {
    summary: 'Change an incident: status, people, alerts, summary',
    description:
      'A merge patch; `alertIds` replaces all alerts. A status that cannot follow the current status is refused (`conflict`; the ' +
      'message names the allowed statuses). The first change of status or assignee acknowledges the incident. `contained` and the ' +
      'statuses after it set `containedAt`; `investigating` clears it. `investigating` also reopens a closed incident; mean times ' +
      'count again from then.',
    access: writes('soc:write'),
    inPart: 'seen',
    body: patchBody(IncidentUpdate),
    response: Incident,
  }),
  updateIncidents: patch(path, {
    summary: 'Change many incidents at once, by their ids or by a filter',
    description:
      'A task makes these changes under your name, with the same rules as a PATCH of each incident; with `waitSeconds` the answer ' +
      'has the finished task. A filter selects the incidents that fit when the task begins. Its `result` is `{matched, changed, ' +
      'unchanged, refused: [{id, code, message}], refusedCount, results?}`.',
    access: writes('soc:write'),
    inPart: 'seen',
    query: z.object({ waitSeconds: WaitSeconds }),
    body: IncidentsUpdate,
    response: IncidentsUpdateAnswer,
  }),
  undoIncidentsUpdate: post(`${path}/bulk/{taskId}/undo`, {
    summary: 'Undo a change of many incidents, for a day after its end',
    description:
      'Each incident gets its former values back, unless one of the changed fields has changed again. The timeline keeps the ' +
      'change and the undo. The `result` is `{matched, restored, changedSince: [{id, code, message}], changedSinceCount}`. Another ' +
      'request gets the same task.',
    access: writes('soc:write'),
    inPart: 'seen',
    query: z.object({ waitSeconds: WaitSeconds }),
    response: WaitedResponse,
  }),
  listIncidentTimeline: get(`${path}/{id}/timeline`, {
    summary: 'List the timeline of an incident, newest first',
    description: 'Lists up to 500 entries: notes of people, changes, added and removed alerts, response actions.',
    access: reads('soc:read'),
    inPart: 'seen',
    query: Before,
    response: z.array(TimelineEntry),
  }),
  addTimelineNote: post(`${path}/{id}/timeline`, {
    summary: 'Add a note to the timeline of an incident',
    description:
      'Nobody can change or delete an entry, not even its author. The text is Markdown and is stored as sent: a program that shows ' +
      'the text must sanitize it.',
    access: writes('soc:write'),
    inPart: 'seen',
    body: z
      .strictObject({ text: z.string().trim().min(1).max(10_000) })
      .meta({ id: 'TimelineNote', example: { text: 'The host is off the network.' } }),
    response: TimelineEntry,
  }),
});
