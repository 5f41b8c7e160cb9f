import { admin } from '#shared/auth/access.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { QueuedResponse } from '#shared/jobs/task.ts';

export const assetRoutes = defineRoutes({
  deleteAsset: {
    method: 'DELETE',
    path: '/api/v1/assets/{id}',
    summary: 'Delete an asset that was a mistake, with its findings',
    description:
      'For a target that was misspelt or is not yours: what was repaired is `fixed` by the next scan, and need not be deleted. The ' +
      "asset is gone at once, and a task deletes its findings; the task's result is `{deleted}`. A later report that names the asset " +
      'makes it anew. An asset on which an agent reports is refused (`conflict`).',
    access: admin,
    response: QueuedResponse,
  },
});
