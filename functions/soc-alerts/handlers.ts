import { alerts } from '#shared/entities/alert.ts';
import { AlertComment, alertComments } from '#shared/entities/alert-comment.ts';
import { queueMany } from '#shared/findings/many/queue.ts';
import { assertAuthor } from '#shared/http/author.ts';
import { showEach } from '#shared/http/pagination.ts';
import { mergePatch } from '#shared/http/records.ts';
import type { Handlers } from '#shared/http/route.ts';
import { answerWithin } from '#shared/jobs/wait.ts';
import { notFound } from '#shared/runtime/errors.ts';
import { alertSelection } from '#shared/soc/filter.ts';
import { readTimeline } from '#shared/soc/timeline.ts';
import type { Table } from '#shared/table/table.ts';
import { bulkUpdate } from './bulk-update.ts';
import { createAlert } from './create-alert.ts';
import type { socAlertRoutes } from './routes.ts';
import { updateAlert } from './update-alert.ts';
import { listItem, view } from './view.ts';

export const socAlertHandlers: Handlers<typeof socAlertRoutes> = {
  listAlerts: ({ table, caller, query: { paginateFrom, paginateSize, ...filter } }) =>
    showEach(table.list(alerts, { paginateFrom, paginateSize, ...alertSelection(filter, caller) }), listItem),

  searchAlerts: ({ table, caller, query: { paginateFrom, paginateSize, ...filter } }) =>
    showEach(table.list(alerts, { paginateFrom, paginateSize, ...alertSelection(filter, caller) }), listItem),

  createAlert: async (call) => view(await createAlert(call)),

  getAlert: async ({ table, params }) => view(await table.get(alerts, params.id)),

  updateAlert: async (call) => view(await updateAlert(call)),

  async updateAlerts({ table, connections, caller, body, query }) {
    const { wanted, bulk } = await bulkUpdate(table, caller, body);
    const request = { operation: 'update_alerts', unit: 'alerts', wanted, input: bulk } as const;
    return answerWithin(table, await queueMany(connections, table, request), query.waitSeconds);
  },

  async listAlertTimeline({ table, params, query }) {
    await table.get(alerts, params.id);
    return readTimeline(table, params.id, query.before);
  },

  async listAlertComments({ table, params, query }) {
    await table.get(alerts, params.id);
    return table.list(alertComments, { ...query, parent: { alert: params.id } });
  },

  async createAlertComment({ table, params, body }) {
    const { id: alertId } = await table.get(alerts, params.id, true);
    return table.create(alertComments, { ...body, alertId });
  },

  async updateAlertComment({ table, params, body, ifMatch }) {
    const comment = await ownComment(table, params);
    const changes = mergePatch(AlertComment, comment, { patch: body, ifMatch });
    return changes ? table.update(alertComments, comment, changes) : comment;
  },

  deleteAlertComment: async ({ table, params }) => table.delete(alertComments, await ownComment(table, params)),
};

type Named = { id: string; commentId: string };

/** A comment that its author is about to change. @throws not_found, conflict */
async function ownComment(table: Table, { id, commentId }: Named): Promise<AlertComment> {
  const comment = await table.get(alertComments, commentId, true);
  if (comment.alertId !== id) throw notFound('alert comment', commentId);
  assertAuthor(table, comment);
  return comment;
}
