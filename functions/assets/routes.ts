import * as z from 'zod';
import { admin } from '#shared/auth/access.ts';
import { Id } from '#shared/http/records.ts';
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
  mergeAssets: {
    method: 'POST',
    path: '/api/v1/assets/{id}/merge',
    summary: 'Merge an asset into another one that is the same thing',
    description:
      'The names of the asset become `aliases` of `intoId` at once, so that reports under any of them find that asset. A task moves ' +
      'its findings and branches; two findings of one problem become one: the older, with the newest decision and the ' +
      "sightings of both. The task's result is `{findings, moved, merged}`. An asset on which an agent reports is refused " +
      '(`conflict`): merge the other one into it.',
    access: admin,
    body: z.object({ intoId: Id }).meta({ id: 'AssetMerge' }),
    response: QueuedResponse,
  },
  undoAssetMerge: {
    method: 'POST',
    path: '/api/v1/assets/merges/{taskId}/undo',
    summary: 'Undo a merge of assets',
    description:
      'Within 30 days. The asset has its names again at once; a task returns the findings, each to its asset, and those that became one ' +
      'as the two that they were. Values that were changed since stay. Of several merges into an asset the last is undone first.',
    access: admin,
    response: QueuedResponse,
  },
});
