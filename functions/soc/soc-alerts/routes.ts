import * as z from 'zod';
import { reads, writes } from '#shared/platform/auth/access.ts';
import { backwardPageOf, backwardQuery } from '#shared/platform/http/backward.ts';
import { dryRun, whichOf } from '#shared/platform/http/many.ts';
import { Listing, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, objectNamed, patchBody, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { answerOrPreview, WaitedResponse, WaitSeconds } from '#shared/platform/jobs/wait.ts';
import { DELIVERY_PLACE } from '#shared/platform/outgoing/delivery-list.ts';
import { Alert, AlertListItem } from '#shared/soc/alerts/alert.ts';
import { AlertComment, WrittenAlertComment } from '#shared/soc/alerts/alert-comment.ts';
import { alertFilters } from '#shared/soc/alerts/filter.ts';
import { ChangePreview } from '#shared/soc/alerts/preview.ts';
import { Before, TimelineEntry } from '#shared/soc/alerts/records.ts';
import { AlertBulkChanges } from '#shared/soc/incidents/bulk.ts';
import { AlertDelivery } from './alert-deliveries.ts';

const path = '/api/v1/soc/alerts';

const reason = z.string().trim().min(1).max(300).meta({
  description: 'kept in the timeline with the changes of this request',
  example: 'the host is a test system',
});

/** A new alert has the status new, and no resolution yet. */
const AlertCreate = createBody(Alert.omit({ status: true, resolution: true }), {
  dedupKey: z.string().trim().min(1).max(300).nullable().default(null).meta({
    description: 'an open alert of a person with this key counts one more event instead of a new alert',
  }),
  firstEventAt: Timestamp.optional().meta({ description: 'when it happened; now if absent' }),
});

const AlertUpdate = Alert.extend({ reason: reason.nullish() }).meta({ id: 'AlertUpdate' });

const AlertsUpdate = objectNamed('AlertsUpdate', {
  ...whichOf('alerts', alertFilters),
  changes: AlertBulkChanges.default({}).meta({ example: { status: 'false_positive' } }),
  reason: reason.optional(),
  dryRun,
});
export type AlertsUpdate = z.output<typeof AlertsUpdate>;

const AlertsUpdateAnswer = answerOrPreview(ChangePreview.meta({ id: 'AlertsPreview' })).meta({
  id: 'AlertsUpdateAnswer',
});

const MOVES =
  'A status that cannot follow the current status is refused (`conflict`; the message names the allowed statuses). The first ' +
  'change of status acknowledges the alert. A new alert that gets an assignee is acknowledged, unless the request names a status. ' +
  '`acknowledged` or `in_progress` reopens a resolved or false positive alert; mean times count again from then.';

export const socAlertRoutes = defineRoutes({
  listAlerts: get(path, {
    summary: 'List alerts, newest first',
    description: 'All filters combine with each other and with the words of the search.',
    access: reads('soc:read'),
    inPart: 'seen',
    query: Listing.extend(alertFilters),
    response: searchPageOf(AlertListItem),
  }),
  searchAlerts: get(`${path}/search`, {
    summary: 'Search alerts by the words of their entities, title and rule',
    description:
      'Each word must be the beginning of a word of the alert. The words come from its first six entities, its title and the name ' +
      'of its rule. The filters of the list combine with the words.',
    access: reads('soc:read'),
    inPart: 'seen',
    query: SearchQuery.extend(alertFilters),
    response: searchPageOf(AlertListItem),
  }),
  createAlert: post(path, {
    summary: 'Create an alert by hand',
    description:
      'The `source` of the alert is `manual`. If an open alert that a person created within the window (`alertWindowMinutes` of ' +
      "the organization's settings) has the same `dedupKey`, that alert counts one more event and is the answer; docs/soc.md has " +
      'the rules. With a role for a part of the organization, `entities` names assets of the part, and an alert that you do not ' +
      'see counts nothing.',
    access: writes('soc:write'),
    inPart: 'seen',
    body: AlertCreate,
    response: Alert,
  }),
  getAlert: get(`${path}/{id}`, {
    summary: 'Read an alert',
    description:
      '`eventCount`, `firstEventAt` and `lastEventAt` cover all events of the alert so far. `GET /api/v1/siem/events?alertId=` has the events.',
    access: reads('soc:read'),
    inPart: 'seen',
    response: Alert,
  }),
  updateAlert: patch(`${path}/{id}`, {
    summary: 'Triage an alert: status, severity, assignee, incident',
    description: `A merge patch. ${MOVES}`,
    access: writes('soc:write'),
    inPart: 'seen',
    body: patchBody(AlertUpdate),
    response: Alert,
  }),
  updateAlerts: patch(path, {
    summary: 'Triage many alerts at once, by their ids or by a filter',
    description:
      'A task makes these changes under your name, with the same rules as a PATCH of each alert; with `waitSeconds` the answer has ' +
      'the finished task. A filter selects the alerts that fit when the task begins. Its `result` is `{matched, changed, ' +
      'unchanged, refused: [{id, code, message}], refusedCount, results?}`.',
    access: writes('soc:write'),
    inPart: 'seen',
    query: z.object({ waitSeconds: WaitSeconds }),
    body: AlertsUpdate,
    response: AlertsUpdateAnswer,
  }),
  undoAlertsUpdate: post(`${path}/bulk/{taskId}/undo`, {
    summary: 'Undo a change of many alerts, for a day after its end',
    description:
      'Each alert gets its former values back, unless one of the changed fields has changed again, or the incident that the alert ' +
      'left is closed now. The `result` is `{matched, restored, changedSince: [{id, code, message}], changedSinceCount}`. Another ' +
      'request gets the same task.',
    access: writes('soc:write'),
    inPart: 'seen',
    query: z.object({ waitSeconds: WaitSeconds }),
    response: WaitedResponse,
  }),
  listAlertTimeline: get(`${path}/{id}/timeline`, {
    summary: 'List the changes of an alert, newest first',
    description: 'Lists up to 500 changes. Further events of the alert add no entry.',
    access: reads('soc:read'),
    inPart: 'seen',
    query: Before,
    response: z.array(TimelineEntry),
  }),
  listAlertDeliveries: get(`${path}/{id}/deliveries`, {
    summary: 'List who was notified of an alert, newest first',
    description:
      'Letters, notifications in inboxes, messages to chats and webhooks that name the alert, of the last 30 days. A message counts once it is made: what waits ' +
      'for a digest is not there yet. A page may have fewer entries than `limit`, also none, before the last page, where `next` is null.',
    access: reads('soc:read'),
    inPart: 'seen',
    query: backwardQuery(DELIVERY_PLACE),
    response: backwardPageOf(AlertDelivery).meta({ id: 'AlertDeliveriesAnswer' }),
  }),
  listAlertComments: get(`${path}/{id}/comments`, {
    summary: 'List the comments on an alert, newest first',
    description: 'Lists the comments of people; changes are in the timeline.',
    access: reads('soc:read'),
    inPart: 'seen',
    query: Listing,
    response: pageOf(AlertComment),
  }),
  createAlertComment: post(`${path}/{id}/comments`, {
    summary: 'Comment on an alert',
    description: 'The text is Markdown and is stored as sent: a program that shows the text must sanitize it.',
    access: writes('soc:write'),
    inPart: 'seen',
    body: createBody(AlertComment),
    response: WrittenAlertComment,
  }),
  updateAlertComment: patch(`${path}/{id}/comments/{commentId}`, {
    summary: 'Change your own comment',
    description: 'A merge patch. Nobody else may change the comment (`conflict`).',
    access: writes('soc:write'),
    inPart: 'seen',
    body: patchBody(AlertComment),
    response: WrittenAlertComment,
  }),
  deleteAlertComment: remove(`${path}/{id}/comments/{commentId}`, {
    summary: 'Delete your own comment',
    description: 'The deletion is permanent. Nobody else may delete the comment (`conflict`).',
    access: writes('soc:write'),
    inPart: 'seen',
    response: Deletion,
  }),
});
