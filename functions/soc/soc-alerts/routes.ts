import * as z from 'zod';
import { reads, writes } from '#shared/platform/auth/access.ts';
import { dryRun, whichOf } from '#shared/platform/http/many.ts';
import { Pagination, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, patchBody, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { answerOrPreview, WaitedResponse, WaitSeconds } from '#shared/platform/jobs/wait.ts';
import { Alert, AlertListItem } from '#shared/soc/alerts/alert.ts';
import { AlertComment } from '#shared/soc/alerts/alert-comment.ts';
import { alertFilters } from '#shared/soc/alerts/filter.ts';
import { changePreview } from '#shared/soc/alerts/preview.ts';
import { Before, TimelineEntry } from '#shared/soc/alerts/records.ts';
import { AlertBulkChanges } from '#shared/soc/incidents/bulk.ts';

const path = '/api/v1/soc/alerts';

const reason = z.string().trim().min(1).max(300).meta({
  description: 'kept in the timeline with whatever this request changes',
  example: 'the host is a test system',
});

/** A new alert is new, and its end is told when it comes. */
const AlertCreate = createBody(Alert.omit({ status: true, resolution: true }), {
  dedupKey: z.string().trim().min(1).max(300).nullable().default(null).meta({
    description: 'an open alert of a person with this key counts one event more, instead of another alert',
  }),
  firstEventAt: Timestamp.optional().meta({ description: 'when it happened; now if absent' }),
});

const AlertUpdate = Alert.extend({ reason: reason.nullish() }).meta({ id: 'AlertUpdate' });

const AlertsUpdate = z
  .object({
    ...whichOf('alerts', alertFilters),
    changes: AlertBulkChanges.default({}).meta({ example: { status: 'false_positive' } }),
    reason: reason.optional(),
    dryRun,
  })
  .meta({ id: 'AlertsUpdate' });
export type AlertsUpdate = z.output<typeof AlertsUpdate>;

const AlertsUpdateAnswer = answerOrPreview(changePreview('alerts').meta({ id: 'AlertsPreview' })).meta({
  id: 'AlertsUpdateAnswer',
});

const MOVES =
  'A status that cannot follow the present one is refused (`conflict`; the message says which can). The first move acknowledges the alert. ' +
  'A new alert that gets an assignee is acknowledged, unless the request names a status. One that was resolved or called false is opened ' +
  'again by `acknowledged` or `in_progress`, and counts again from then.';

export const socAlertRoutes = defineRoutes({
  listAlerts: {
    method: 'GET',
    path,
    summary: 'List alerts, newest first',
    description: 'All filters combine with each other and with the words of the search.',
    access: reads('soc:read'),
    query: Pagination.extend(alertFilters),
    response: searchPageOf(AlertListItem),
  },
  searchAlerts: {
    method: 'GET',
    path: `${path}/search`,
    summary: 'Search alerts by the words of what they concern, title and rule',
    description:
      'Each word must be the beginning of a word of the alert: of its first six entities, its title and the name of its rule. The filters of the list combine with the words.',
    access: reads('soc:read'),
    query: SearchQuery.extend(alertFilters),
    response: searchPageOf(AlertListItem),
  },
  createAlert: {
    method: 'POST',
    path,
    summary: 'Write down what may be an attack',
    description:
      'Its `source` is `manual`. With a `dedupKey` of an alert that a person wrote within the window (`alertWindowMinutes` of the ' +
      "organization's settings) and that is still open, that alert is answered with one event more; docs/soc.md has the rules.",
    access: writes('soc:write'),
    body: AlertCreate,
    response: Alert,
  },
  getAlert: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read an alert',
    description: '`eventCount`, `firstEventAt` and `lastEventAt` are of all events that count on it so far.',
    access: reads('soc:read'),
    response: Alert,
  },
  updateAlert: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Triage an alert: status, severity, assignee, incident',
    description: `A merge patch. ${MOVES}`,
    access: writes('soc:write'),
    body: patchBody(AlertUpdate),
    response: Alert,
  },
  updateAlerts: {
    method: 'PATCH',
    path,
    summary: 'Triage many alerts at once, by their ids or by a filter',
    description:
      'A task makes these changes, each as a PATCH of the one alert would, under your name; with `waitSeconds` the answer has the ' +
      'finished task. Alerts that a filter gives are those of the moment in which the task begins. Its `result` is `{matched, changed, ' +
      'unchanged, refused: [{id, code, message}], refusedCount, results?}`.',
    access: writes('soc:write'),
    query: z.object({ waitSeconds: WaitSeconds }),
    body: AlertsUpdate,
    response: AlertsUpdateAnswer,
  },
  undoAlertsUpdate: {
    method: 'POST',
    path: `${path}/bulk/{taskId}/undo`,
    summary: 'Undo a change of many alerts, for a day after its end',
    description:
      'An alert gets back what the task changed of it, unless one of these fields was changed since, or the incident that it left is closed now. The `result` is ' +
      '`{matched, restored, changedSince: [{id, code, message}], changedSinceCount}`. Another call answers the same task.',
    access: writes('soc:write'),
    query: z.object({ waitSeconds: WaitSeconds }),
    response: WaitedResponse,
  },
  listAlertTimeline: {
    method: 'GET',
    path: `${path}/{id}/timeline`,
    summary: 'List the changes of an alert, newest first',
    description: 'Up to 500. Further events that count on the alert change it without an entry.',
    access: reads('soc:read'),
    query: Before,
    response: z.array(TimelineEntry),
  },
  listAlertComments: {
    method: 'GET',
    path: `${path}/{id}/comments`,
    summary: 'List the comments on an alert, newest first',
    description: 'Remarks of people; what was changed when stands in the timeline.',
    access: reads('soc:read'),
    query: Pagination,
    response: pageOf(AlertComment),
  },
  createAlertComment: {
    method: 'POST',
    path: `${path}/{id}/comments`,
    summary: 'Comment on an alert',
    description: 'The text is Markdown and is kept as it was sent: whoever shows it must make it safe.',
    access: writes('soc:write'),
    body: createBody(AlertComment),
    response: AlertComment,
  },
  updateAlertComment: {
    method: 'PATCH',
    path: `${path}/{id}/comments/{commentId}`,
    summary: 'Change a comment of your own',
    description: 'A merge patch. Nobody else may change it (`conflict`).',
    access: writes('soc:write'),
    body: patchBody(AlertComment),
    response: AlertComment,
  },
  deleteAlertComment: {
    method: 'DELETE',
    path: `${path}/{id}/comments/{commentId}`,
    summary: 'Delete a comment of your own',
    description: 'For good. Nobody else may delete it (`conflict`).',
    access: writes('soc:write'),
    response: Deletion,
  },
});
