import { APEX_TASK_STATUSES, apexTasks } from '#shared/apex/apex-task.ts';
import { apexFiles } from '#shared/apex/files.ts';
import { settleTasks } from '#shared/apex/settle.ts';
import { settleStandalone } from '#shared/apex/standalone.ts';
import { cancelTask } from '#shared/apex/stop.ts';
import { withSecondPerson } from '#shared/people/second-person.ts';
import { listed } from '#shared/platform/http/figures.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { statusCounts } from '#shared/platform/http/value-counts.ts';
import { signDownload } from '#shared/platform/runtime/bucket-parts.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import { createTask, deleteTask, updateTask } from './change.ts';
import { approveTask, denyTask } from './decide.ts';
import type { apexTaskRoutes } from './routes.ts';
import { showTask, showTasks } from './show.ts';

function listApexTasks({ table, query }: Call<typeof apexTaskRoutes.listApexTasks>) {
  const { status, engagementId, campaignId, runId, ...paging } = query;
  const parent = { engagement: engagementId, campaign: campaignId, run: runId };
  const page = table.list(apexTasks, { ...paging, parent, filter: { status } });
  return showPage(page, (found) => showTasks(table, found));
}

async function getApexTask({ table, params: { id } }: Call<typeof apexTaskRoutes.getApexTask>) {
  const task = await table.get(apexTasks, id);
  if (task.status === 'pending' && !task.released && task.runId === null) {
    // its dependencies may have ended while the step after them broke off
    await settleStandalone(table, id);
    return showTask(table, await table.get(apexTasks, id, true));
  }
  return showTask(table, task);
}

/** Anyone with the address can read the file, so it is valid only for a short time. */
const URL_SECONDS = 300;

async function getApexTaskFile({ connections, table, params }: Call<typeof apexTaskRoutes.getApexTaskFile>) {
  const { id: taskId, fileId: id } = params;
  const [task, file] = await Promise.all([table.find(apexTasks, taskId), table.rows(apexFiles).find({ taskId, id })]);
  if (!task || !file) throw notFound('file', id);
  const { name, size: sizeBytes, checksum } = file;
  const sha256 = Buffer.from(checksum, 'base64').toString('hex');
  const urlExpiresAt = inSeconds(URL_SECONDS);
  const object = { key: file.key, name: name ?? id, mediaType: 'application/octet-stream', seconds: URL_SECONDS };
  return { id, name, sizeBytes, sha256, url: await signDownload(connections.bucket, object), urlExpiresAt };
}

export const apexTaskHandlers: Handlers<typeof apexTaskRoutes> = {
  listApexTasks,
  createApexTask: ({ table, body }) => createTask(table, body),
  countApexTasksByStatus: async ({ table }) =>
    statusCounts(APEX_TASK_STATUSES, await table.facets(apexTasks), (status) =>
      listed('/api/v1/validation-operations/apex/tasks', { status: status ?? '' }),
    ),
  getApexTask,
  updateApexTask: ({ table, caller, params, body, ifMatch }) =>
    updateTask(table, params.id, { patch: body, ifMatch, caller }),
  async deleteApexTask(call) {
    await call.table.get(apexTasks, call.params.id);
    return withSecondPerson(call, () => deleteTask(call.connections, call.table, call.params.id));
  },
  getApexTaskFile,
  async cancelApexTask({ table, params }) {
    const task = await cancelTask(table, params.id);
    await settleTasks(table, [task]);
    return showTask(table, task);
  },
  approveApexTask: ({ table, params, body, ifMatch }) => approveTask(table, params.id, { body, ifMatch }),
  denyApexTask: ({ table, params, body, ifMatch }) => denyTask(table, params.id, { body, ifMatch }),
};
