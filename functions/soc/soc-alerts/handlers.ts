import { answerMany } from '#shared/findings/bulk/answer-many.ts';
import { answerUndo } from '#shared/findings/bulk/undo-update.ts';
import { mentionsIn } from '#shared/people/mentions.ts';
import { withPresentName, withPresentNames } from '#shared/people/present-names.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import { assertAuthor } from '#shared/platform/http/author.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { AlertComment, alertComments } from '#shared/soc/alerts/alert-comment.ts';
import { alertListItem, alertRecord } from '#shared/soc/alerts/alert-view.ts';
import { type AlertFilter, alertSelection } from '#shared/soc/alerts/filter.ts';
import { alertFilter } from '#shared/soc/alerts/filter-fields.ts';
import { changeSample } from '#shared/soc/alerts/preview.ts';
import { readTimeline } from '#shared/soc/alerts/timeline.ts';
import { deliveriesOf } from './alert-deliveries.ts';
import { bulkUpdate } from './bulk-update.ts';
import { createAlert } from './create-alert.ts';
import type { socAlertRoutes } from './routes.ts';
import { updateAlert } from './update-alert.ts';

type Listed = { table: Table; caller: Caller; query: AlertFilter & PageRange };

async function list({ table, caller, query: { paginateFrom, paginateSize, ids, ...asked } }: Listed) {
  const filter = await withMatching({ table, caller }, alertFilter, asked);
  const page = { paginateFrom, paginateSize, ids, ...alertSelection(filter, caller) };
  return showPage(table.list(alerts, page), async (found) =>
    (await withPresentNames(table, 'assignee', found)).map(alertListItem),
  );
}

export const socAlertHandlers: Handlers<typeof socAlertRoutes> = {
  listAlerts: list,

  searchAlerts: list,

  createAlert: async (call) => alertRecord(await createAlert(call)),

  getAlert: async ({ table, params }) =>
    alertRecord(await withPresentName(table, 'assignee', await table.get(alerts, params.id))),

  updateAlert: async (call) => alertRecord(await updateAlert(call)),

  async updateAlerts(call) {
    const { table, caller, body } = call;
    const { wanted, bulk } = await bulkUpdate(table, caller, body);
    const request = { operation: 'update_alerts', unit: 'alerts', wanted, input: bulk } as const;
    return answerMany(call, { ...request, entity: alerts, sampleOf: changeSample });
  },

  undoAlertsUpdate: (call) => answerUndo(call, 'undoAlertsUpdate'),

  listAlertTimeline: ({ table, params, query }) => readTimeline(table, { entity: alerts, id: params.id }, query.before),

  async listAlertDeliveries({ table, params, query }) {
    const { id } = await table.get(alerts, params.id);
    return deliveriesOf(table, id, query);
  },

  async listAlertComments({ table, params, query }) {
    await table.get(alerts, params.id);
    return table.list(alertComments, { ...query, parent: { alert: params.id } });
  },

  async createAlertComment({ table, params, body }) {
    const { id: alertId } = await table.get(alerts, params.id, true);
    const { mentions, unresolved } = await mentionsIn(table, body.text);
    return { ...(await table.create(alertComments, { ...body, mentions, alertId })), unresolved };
  },

  async updateAlertComment({ table, params, body, ifMatch }) {
    const comment = await ownComment(table, params);
    const changes = mergePatch(AlertComment, comment, { patch: body, ifMatch });
    const { mentions, unresolved } = await mentionsIn(table, { ...comment, ...changes }.text);
    return {
      ...(changes ? await table.update(alertComments, comment, { ...changes, mentions }) : comment),
      unresolved,
    };
  },

  deleteAlertComment: async ({ table, params }) => table.delete(alertComments, await ownComment(table, params)),
};

type Named = { id: string; commentId: string };

/** A comment that its author is about to change. @throws not_found, conflict */
async function ownComment(table: Table, { id, commentId }: Named): Promise<AlertComment> {
  await table.get(alerts, id);
  const comment = await table.get(alertComments, commentId, true);
  if (comment.alertId !== id) throw notFound('alert comment', commentId);
  assertAuthor(table, comment);
  return comment;
}
