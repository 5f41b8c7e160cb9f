import * as z from 'zod';
import { ASSET_COLUMNS, AssetExportFormat } from '#shared/assets/asset/export.ts';
import { AssetCreate, AssetView } from '#shared/assets/asset/view.ts';
import { admin, reads } from '#shared/platform/auth/access.ts';
import { EXPORT_DAYS, ExportedFile, followedExport, queuedExport } from '#shared/platform/exports/export.ts';
import { Pagination, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { Id, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { WaitSeconds } from '#shared/platform/jobs/wait.ts';
import { AssetOrder, assetFilters } from './filter.ts';
import { AssetHistory, AssetHistoryQuery } from './history.ts';
import { MergeSuggestion, SuggestionQuery } from './suggestion.ts';

const path = '/api/v1/assets';

const AssetsExport = z
  .object({
    format: AssetExportFormat.default('csv'),
    filter: z
      .strictObject({ ...assetFilters, search: SearchQuery.shape.search.optional() })
      .default({})
      .meta({ example: { type: ['host'], criticality: ['critical'] } }),
    columns: z
      .array(z.enum(ASSET_COLUMNS))
      .min(1)
      .max(ASSET_COLUMNS.length)
      .optional()
      .meta({
        description: 'without them a CSV has all, a line of JSON the whole asset',
        example: ['name', 'riskScore'],
      }),
  })
  .meta({ id: 'AssetsExport' });

const ExportedAssets = ExportedFile.extend({ assets: z.int().nonnegative() }).meta({ id: 'ExportedAssets' });
const AssetsExportAnswer = followedExport(ExportedAssets).meta({ id: 'AssetsExportAnswer' });
const AssetsExportQueued = queuedExport(ExportedAssets).meta({ id: 'AssetsExportQueued' });

const analyst = { role: 'analyst' } as const;

export const assetRoutes = defineRoutes({
  listAssets: {
    method: 'GET',
    path,
    summary: 'List assets, newest first',
    description:
      'Hosts, web applications, repositories, images, domains, cloud accounts and resources, EDR devices. All filters combine. ' +
      '`openFindings` and `riskScore` come from counters, exact at any moment.',
    access: reads('assets:read'),
    query: Pagination.extend({ ...assetFilters, sort: AssetOrder }),
    response: searchPageOf(AssetView),
  },
  searchAssets: {
    method: 'GET',
    path: `${path}/search`,
    summary: 'Search assets by the words of names, zone, tags and identifiers',
    description:
      'Each word of `search` must be the beginning of a word of the asset: of its name, value, zone, tags, other names, host names ' +
      'and addresses, of which the first 12 different words count. The filters of the list combine with the words.',
    access: reads('assets:read'),
    query: SearchQuery.extend({ ...assetFilters, sort: AssetOrder }),
    response: searchPageOf(AssetView),
  },
  createAsset: {
    method: 'POST',
    path,
    summary: 'Create an asset that no report brings',
    description:
      'A later report that names it finds it. `value` is brought into the form in which reports name it. An asset that exists ' +
      'under this name is refused (`conflict`).',
    access: analyst,
    body: AssetCreate,
    response: AssetView,
  },
  getAsset: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read an asset',
    description: '`mergedFrom` names the assets that were merged into it; by whom and why, says its history.',
    access: reads('assets:read'),
    response: AssetView,
  },
  listAssetHistory: {
    method: 'GET',
    path: `${path}/{id}/history`,
    summary: 'List who changed what of an asset, newest first',
    description:
      'How it came (the operation, and `sources`: the tools), what people changed, its merges and their undoing, the tags and links that rules gave ' +
      'it, its retirement and return: all of the last 400 days but the last three seconds. An answer may hold fewer changes than `limit` and still have `next`.',
    access: reads('assets:read'),
    query: AssetHistoryQuery,
    response: AssetHistory,
  },
  updateAsset: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change criticality, exposure, tags, owner and identifiers of an asset',
    description:
      'A merge patch. A task of the system (`apply_asset_change`) brings the findings of the asset to its criticality and exposure, ' +
      'which are factors of their priority, and to SLA policies and suppression rules that ask for tags or the criticality of assets. `type`, `value` and `zone` stay: merge the asset into another one.',
    access: analyst,
    body: patchBody(AssetView),
    response: AssetView,
  },
  exportAssets: {
    method: 'POST',
    path: `${path}/export`,
    summary: 'Export assets as CSV or JSON lines',
    description:
      'A queued task writes all assets that fit `filter` (the filters of the list, and `search`) into a file, newest first, of any ' +
      `size; \`GET ${path}/export/{taskId}\` answers its address, and so does this answer, if the file is written within \`waitSeconds\`.`,
    access: reads('assets:read'),
    query: z.object({ waitSeconds: WaitSeconds }),
    body: AssetsExport,
    response: AssetsExportQueued,
  },
  getAssetsExport: {
    method: 'GET',
    path: `${path}/export/{taskId}`,
    summary: 'Follow an export of assets, and get the address of its file',
    description: `The address works for 15 minutes and for whoever has it; \`waitSeconds\` waits for the end of the export. The file is removed after ${EXPORT_DAYS} days.`,
    access: reads('assets:read'),
    query: z.object({ waitSeconds: WaitSeconds }),
    response: AssetsExportAnswer,
  },
  retireAsset: {
    method: 'POST',
    path: `${path}/{id}/retire`,
    summary: 'Retire an asset that is gone',
    description:
      'As happens by itself after `assetRetiredDays` of the organization (180) in which nothing saw it. A task takes its findings out of ' +
      'lists and dashboards; each is still read by its id. The next report or agent that sees the asset brings both back. An asset on ' +
      'which an agent reports is refused (`conflict`).',
    access: analyst,
    response: QueuedResponse,
  },
  deleteAsset: {
    method: 'DELETE',
    path: `${path}/{id}`,
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
    path: `${path}/{id}/merge`,
    summary: 'Merge an asset into another one that is the same thing',
    description:
      'The names of the asset become `aliases` of `intoId` at once, so that reports under any of them find that asset. A task moves ' +
      'its findings and branches; two findings of one problem become one: the older, with the newest decision and the ' +
      'sightings of both. Its identifiers, tags, services, software and agent come along at once; values that `intoId` has too stay ' +
      "there. The task's result is `{findings, moved, merged}`. Two assets with an agent each are refused (`conflict`).",
    access: admin,
    body: z.object({ intoId: Id }).meta({ id: 'AssetMerge' }),
    response: QueuedResponse,
  },
  listMergeSuggestions: {
    method: 'GET',
    path: `${path}/merge-suggestions`,
    summary: 'List assets that may be one machine, newest first',
    description:
      'Hosts, cloud resources and EDR devices that share an identifier which is no proof (docs/identity.md), with both assets and what they ' +
      'share. Those that are one by the rules are merged by themselves, unless `mergeSameAssets` of the organization is off: then they are ' +
      '`certain` here.',
    access: reads('assets:read'),
    query: SuggestionQuery,
    response: pageOf(MergeSuggestion),
  },
  acceptMergeSuggestion: {
    method: 'POST',
    path: `${path}/merge-suggestions/{id}/accept`,
    summary: 'Merge the two assets of a suggestion',
    description: `As \`POST ${path}/{id}/merge\` does; undoing the merge dismisses the suggestion.`,
    access: admin,
    response: QueuedResponse,
  },
  dismissMergeSuggestion: {
    method: 'POST',
    path: `${path}/merge-suggestions/{id}/dismiss`,
    summary: 'Say that the two assets of a suggestion are different',
    description: 'The two are suggested again only when they share an identifier that they do not share now.',
    access: analyst,
    response: MergeSuggestion,
  },
  undoAssetMerge: {
    method: 'POST',
    path: `${path}/merges/{taskId}/undo`,
    summary: 'Undo a merge of assets',
    description:
      'Within 30 days. The asset has its names, inventory and agent again at once; a task returns the findings, each to its asset, and those that became one ' +
      'as the two that they were. Values that were changed since stay. Of several merges into an asset the last is undone first.',
    access: admin,
    response: QueuedResponse,
  },
});
