import * as z from 'zod';
import { AssetView } from '#shared/assets/asset/view.ts';
import { SCOPE_KINDS } from '#shared/exposure/applications/scopes.ts';
import { ApplicationAssetMapping } from '#shared/exposure/asset-links/mapping.ts';
import { ApplicationAssetExclusion } from '#shared/exposure/asset-rules/application-exclusion.ts';
import { analystOf, reads } from '#shared/platform/auth/access.ts';
import { Listing, MAX_PAGE_SIZE, Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, Id, objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post, remove } from '#shared/platform/http/route.ts';

const path = '/api/v1/software/applications/{id}';
const analyst = analystOf('assets');

/** Most assets that one request links or unlinks. */
export const MAX_AT_ONCE = 1000;
const Example = '0197b8a2-4c00-7000-8000-000000000001';

const MappingCreate = z
  .strictObject({
    assetId: Id,
    environmentId: Id.nullable().default(null).meta({ example: null }),
    note: z.string().trim().min(1).max(500).nullable().default(null),
  })
  .meta({ id: 'ApplicationAssetMappingCreate' });

const BulkScopeRequest = z
  .strictObject({
    environmentId: Id.nullable().default(null).meta({ example: null }),
    items: z
      .array(
        z.strictObject({
          kind: z
            .string()
            .max(100)
            .meta({ description: `one of ${SCOPE_KINDS.join(', ')}` }),
          id: z.string().max(100).optional(),
          value: z.string().max(300).optional(),
        }),
      )
      .min(1)
      .max(MAX_AT_ONCE)
      .meta({
        description: '`GET .../scope-kinds` lists the values of each kind; each item is checked separately',
        example: [{ kind: 'tag', value: 'shop' }],
      }),
  })
  .meta({ id: 'BulkScopeRequest' });

const BulkScopeAnswer = objectNamed('BulkScopeAnswer', {
  linked: z.int(),
  alreadyLinked: z.int(),
  excluded: z.int().meta({ description: 'assets that an exclusion keeps out' }),
  rejected: z.array(z.object({ index: z.int(), code: z.string(), message: z.string() })),
});

const ids = z.array(Id).min(1).max(MAX_AT_ONCE);
const BulkUnlink = z
  .strictObject({
    mappingIds: ids.optional(),
    assetIds: ids.optional().meta({ example: [Example] }),
    alsoExclude: z
      .boolean()
      .default(false)
      .meta({ description: 'exclude the assets too, so that no rule links them again' }),
    reason: z.string().trim().min(1).max(300).optional().meta({ description: 'of the exclusions' }),
  })
  .meta({ id: 'ApplicationAssetBulkUnlink' });

const BulkUnlinkAnswer = objectNamed('BulkUnlinkAnswer', {
  unlinked: z.int().meta({ description: 'assets that no longer belong to the application' }),
  notFound: z.array(z.string()).meta({ description: 'ids that name no linked asset' }),
  ruleLinked: z
    .array(z.object({ assetId: Id, ruleId: Id }))
    .meta({ description: 'assets that a rule links: send alsoExclude to take them out' }),
});

const CreatedExclusion = objectNamed('CreatedAssetExclusion', {
  ...ApplicationAssetExclusion.shape,
  removedLinks: z
    .int()
    .nonnegative()
    .nullable()
    .meta({ description: 'links of rules that it took; null: `taskId` takes them' }),
  kept: z.int().nonnegative().meta({ description: 'assets it covers that stay linked, because people linked them' }),
});

export const applicationAssetRoutes = defineRoutes({
  listAssetMappings: get(`${path}/assets`, {
    operation: 'List Asset Mappings',
    summary: 'List the links of an application to assets, newest assets first',
    description:
      `The answer is an array of at most ${MAX_PAGE_SIZE} links, beginning at \`paginateFrom\`; \`assets\` of the application has the ` +
      'total number.',
    access: reads('assets:read'),
    inPart: 'seen',
    query: Pagination.extend({ paginateSize: Pagination.shape.paginateSize.unwrap().default(MAX_PAGE_SIZE) }),
    response: z.array(ApplicationAssetMapping),
  }),
  createAssetMapping: post(`${path}/assets`, {
    operation: 'Create Asset Mapping',
    summary: 'Link an asset to an application',
    description:
      'A link by a rule becomes a link by a person, which stays when the rule is deleted. A task of the system ' +
      '(`apply_asset_change`, with the asset as its resource) adds the findings of the asset to the application. An excluded asset ' +
      'is refused (`conflict`). An asset belongs to at most 20 applications.',
    access: analyst,
    inPart: 'seen',
    body: MappingCreate,
    response: ApplicationAssetMapping,
  }),
  deleteAssetMapping: remove(`${path}/assets/{mapping_id}`, {
    operation: 'Delete Asset Mapping',
    summary: 'Unlink an asset from an application',
    description:
      'A link by a rule is refused (`conflict`), because the rule would create it again: exclude the asset instead.',
    access: analyst,
    inPart: 'seen',
    response: Deletion,
  }),
  searchAvailableAssets: get(`${path}/available-assets`, {
    operation: 'Search Available Assets (assets that can be mapped)',
    summary: 'List the assets that are neither linked to the application nor excluded, newest first',
    description: 'The list has no retired assets. Each word of `search` must be the beginning of a word of the asset.',
    access: reads('assets:read'),
    inPart: 'seen',
    query: Pagination.extend({ search: z.string().trim().min(1).max(200).optional() }),
    response: pageOf(AssetView),
  }),
  bulkUnlinkAssets: post(`${path}/assets/unlink`, {
    operation: 'Bulk Unlink Assets',
    summary: 'Unlink many assets from an application',
    description: 'Send `mappingIds` or `assetIds`. Links by rules stay, unless the request also excludes the assets.',
    access: analyst,
    inPart: 'seen',
    body: BulkUnlink,
    response: BulkUnlinkAnswer,
  }),
  bulkLinkAssets: post(`${path}/asset-links/bulk`, {
    operation: 'Bulk Asset Links',
    summary: 'Link many assets to an application',
    description:
      `An item that brings the request above ${MAX_AT_ONCE} assets is rejected: create a rule instead. A rejected item does not ` +
      'affect the other items.',
    access: analyst,
    inPart: 'seen',
    body: BulkScopeRequest,
    response: BulkScopeAnswer,
  }),
  listAssetExclusions: get(`${path}/asset-exclusions`, {
    operation: 'List Asset Exclusions',
    summary: 'List the exclusions of an application, newest first',
    description: 'Lists exclusions by asset and by condition. An expired exclusion is removed within a minute.',
    access: reads('assets:read'),
    closedToPart: 'an exclusion may name assets outside of the part',
    query: Listing,
    response: pageOf(ApplicationAssetExclusion),
  }),
  createAssetExclusion: post(`${path}/asset-exclusions`, {
    operation: 'Create Asset Exclusion',
    summary: 'Exclude an asset, or the assets that meet a condition, from the rules of an application',
    description:
      'The exclusion removes the links by rules that it covers: at once for an asset, with the task `taskId` for a condition. ' +
      'Links by people stay. An application has at most 50 exclusions by condition.',
    access: analyst,
    closedToPart: 'an exclusion may name assets outside of the part',
    body: createBody(ApplicationAssetExclusion),
    response: CreatedExclusion,
  }),
  deleteAssetExclusion: remove(`${path}/asset-exclusions/{exclusion_id}`, {
    operation: 'Delete Asset Exclusion',
    summary: 'Remove an exclusion, so that rules link its assets again',
    description:
      'For an exclusion by asset, the rules link the asset again at once. For an exclusion by condition, a task ' +
      '(`apply_asset_rules`) links the assets again.',
    access: analyst,
    closedToPart: 'an exclusion may name assets outside of the part',
    response: Deletion,
  }),
});
