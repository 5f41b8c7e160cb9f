import * as z from 'zod';
import { ASSET_COLUMNS, AssetExportFormat } from '#shared/assets/asset/export.ts';
import { AssetCreate, AssetView } from '#shared/assets/asset/view.ts';
import { adminOf, analystOf, reads } from '#shared/platform/auth/access.ts';
import { EXPORT_DAYS, ExportedFile, followedExport, queuedExport } from '#shared/platform/exports/export.ts';
import { Listing, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { Id, objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { WaitSeconds } from '#shared/platform/jobs/wait.ts';
import { AssetOrder, assetFilters } from './filter.ts';
import { AssetHistory, AssetHistoryQuery } from './history.ts';
import { MergeSuggestion, SuggestionQuery } from './suggestion.ts';

const path = '/api/v1/assets';
const admin = adminOf('assets');

const AssetsExport = objectNamed('AssetsExport', {
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
      description: 'without them a CSV has all, a line of JSON the whole asset; `owner` and `applications` have names',
      example: ['name', 'riskScore'],
    }),
});

const ExportedAssets = ExportedFile.extend({ assets: z.int().nonnegative() }).meta({ id: 'ExportedAssets' });
const AssetsExportAnswer = followedExport(ExportedAssets).meta({ id: 'AssetsExportAnswer' });
const AssetsExportQueued = queuedExport(ExportedAssets).meta({ id: 'AssetsExportQueued' });

const analyst = analystOf('assets');

export const assetRoutes = defineRoutes({
  listAssets: get(path, {
    summary: 'List assets, newest first',
    description:
      'Lists hosts, web applications, repositories, images, domains, cloud accounts and resources, and EDR devices. All filters ' +
      'combine. `openFindings` and `riskScore` come from counters and are always exact.',
    access: reads('assets:read'),
    inPart: 'seen',
    query: Listing.extend({ ...assetFilters, sort: AssetOrder }),
    response: searchPageOf(AssetView),
  }),
  searchAssets: get(`${path}/search`, {
    summary: 'Search assets by the words of their names, zone, tags and identifiers',
    description:
      'Each word of `search` must be the beginning of a word of the asset. The words come from its name, value, zone, tags, other ' +
      'names, host names and addresses; the first 12 different words count. The filters of the list combine with the words.',
    access: reads('assets:read'),
    inPart: 'seen',
    query: SearchQuery.extend({ ...assetFilters, sort: AssetOrder }),
    response: searchPageOf(AssetView),
  }),
  createAsset: post(path, {
    summary: 'Create an asset by hand',
    description:
      'A later report that names the asset updates it. `value` is normalized to the form that reports use. An existing name is ' +
      'refused (`conflict`).',
    access: analyst,
    inPart: 'seen',
    body: AssetCreate,
    response: AssetView,
  }),
  getAsset: get(`${path}/{id}`, {
    summary: 'Read an asset',
    description:
      '`mergedFrom` names the assets that were merged into the asset; the history has the persons and reasons.',
    access: reads('assets:read'),
    inPart: 'seen',
    response: AssetView,
  }),
  listAssetHistory: get(`${path}/{id}/history`, {
    summary: 'List the changes of an asset, newest first',
    description:
      'Lists the creation of the asset (the operation, and the tools as `sources`), changes by people, merges and their undoing, ' +
      'the tags and links from rules, retirement and return. The list covers the last 400 days, except the last three seconds. An ' +
      'answer may hold fewer changes than `limit` and still have `next`.',
    access: reads('assets:read'),
    inPart: 'seen',
    query: AssetHistoryQuery,
    response: AssetHistory,
  }),
  updateAsset: patch(`${path}/{id}`, {
    summary: 'Change criticality, exposure, tags, owner and identifiers of an asset',
    description:
      'A merge patch. A task of the system (`apply_asset_change`) updates the findings of the asset: their priority (criticality ' +
      'and exposure are factors), their fields `asset.tag` and `asset.owner`, and the SLA policies and suppression rules that depend on ' +
      'tags or criticality. `type`, `value` and `zone` cannot change: merge the asset into another asset instead.',
    access: analyst,
    inPart: 'seen',
    body: patchBody(AssetView),
    response: AssetView,
  }),
  exportAssets: post(`${path}/export`, {
    summary: 'Export assets as CSV or JSON lines',
    description:
      'A queued task writes all assets that fit `filter` (the filters of the list, and `search`) into a file, newest first, of any ' +
      `size; \`GET ${path}/export/{taskId}\` answers its address, and so does this answer, if the file is written within \`waitSeconds\`.`,
    access: reads('assets:read'),
    inPart: 'seen',
    readOnly: true,
    query: z.object({ waitSeconds: WaitSeconds }),
    body: AssetsExport,
    response: AssetsExportQueued,
  }),
  getAssetsExport: get(`${path}/export/{taskId}`, {
    summary: 'Get the state of an export of assets and the address of its file',
    description:
      'The address works for 15 minutes and needs no credential; `waitSeconds` waits for the end of the export. The file is ' +
      `removed after ${EXPORT_DAYS} days.`,
    access: reads('assets:read'),
    inPart: 'seen',
    query: z.object({ waitSeconds: WaitSeconds }),
    response: AssetsExportAnswer,
  }),
  retireAsset: post(`${path}/{id}/retire`, {
    summary: 'Retire an asset that no longer exists',
    description:
      'The service retires an asset automatically when nothing has seen it for `assetRetiredDays` of the organization (180). A ' +
      'task removes its findings from lists and dashboards; each finding can still be read by its id. The next report or agent ' +
      'that sees the asset restores the asset and its findings, and so does `.../return`. An asset on which an agent reports is refused (`conflict`).',
    access: analyst,
    inPart: 'seen',
    response: QueuedResponse,
  }),
  returnAsset: post(`${path}/{id}/return`, {
    summary: 'Bring back an asset that was retired by mistake',
    description:
      'A task restores its findings with their status and history, and then the asset; the result of the task is `{returned}`. An ' +
      'asset that is not retired is refused (`conflict`).',
    access: analyst,
    inPart: 'seen',
    response: QueuedResponse,
  }),
  deleteAsset: remove(`${path}/{id}`, {
    summary: 'Delete a mistaken asset with its findings',
    description:
      'For a target that was misspelt or is not yours. Repaired findings need no deletion: the next scan sets them to `fixed`. The ' +
      "asset is deleted at once, and a task deletes its findings; the task's result is `{deleted}`. A later report that names the " +
      'asset creates it again. An asset on which an agent reports is refused (`conflict`): delete the agent first.',
    access: admin,
    irreversible: true,
    inPart: 'seen',
    response: QueuedResponse,
  }),
  mergeAssets: post(`${path}/{id}/merge`, {
    summary: 'Merge an asset into another asset that is the same thing',
    description:
      'The names of the asset become `aliases` of `intoId` at once, so that reports under any of these names find that asset. A ' +
      'task moves the findings and branches of the asset. Two findings of the same problem become one finding: the older finding, ' +
      'with the newest decision and the sightings of both. The identifiers, tags, services, software and agent of the asset move ' +
      "at once; where both assets have a value, `intoId` keeps its own. The task's result is `{findings, moved, merged}`. Two " +
      'assets that both have an agent are refused (`conflict`).',
    access: admin,
    inPart: 'seen',
    body: z.object({ intoId: Id }).meta({ id: 'AssetMerge' }),
    response: QueuedResponse,
  }),
  listMergeSuggestions: get(`${path}/merge-suggestions`, {
    summary: 'List pairs of assets that may be the same machine, newest first',
    description:
      'Lists hosts, cloud resources and EDR devices that share an identifier which is no proof (docs/identity.md), with both ' +
      'assets and the shared identifiers. The service merges assets automatically when its rules prove that they are the same ' +
      'machine. If `mergeSameAssets` of the organization is off, these pairs are listed here as `certain`.',
    access: reads('assets:read'),
    inPart: 'seen',
    query: SuggestionQuery,
    response: pageOf(MergeSuggestion),
  }),
  acceptMergeSuggestion: post(`${path}/merge-suggestions/{id}/accept`, {
    summary: 'Merge the two assets of a suggestion',
    description: `Merges the assets as \`POST ${path}/{id}/merge\` does. Undoing the merge dismisses the suggestion.`,
    access: admin,
    inPart: 'seen',
    response: QueuedResponse,
  }),
  dismissMergeSuggestion: post(`${path}/merge-suggestions/{id}/dismiss`, {
    summary: 'Dismiss a suggestion: the two assets are different',
    description:
      'The service suggests the two assets again only when they share an identifier that they do not share now.',
    access: analyst,
    inPart: 'seen',
    response: MergeSuggestion,
  }),
  undoAssetMerge: post(`${path}/merges/{taskId}/undo`, {
    summary: 'Undo a merge of assets',
    description:
      'Possible for 30 days. The asset has its names, inventory and agent again at once; a task returns each finding to its asset, ' +
      'and separates the findings that the merge had combined. Values that were changed after the merge stay. If several assets ' +
      'were merged into one asset, undo the last merge first.',
    access: admin,
    inPart: 'seen',
    response: QueuedResponse,
  }),
});
