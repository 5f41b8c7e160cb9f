import * as z from 'zod';
import { AssetView } from '#shared/assets/asset/view.ts';
import { StoredSuggestion, SUGGESTION_STATUSES } from '#shared/assets/identity/merge-suggestion.ts';
import { Listing } from '#shared/platform/http/pagination.ts';
import { Id, objectNamed } from '#shared/platform/http/records.ts';

const Shown = AssetView.pick({
  id: true,
  type: true,
  name: true,
  value: true,
  zone: true,
  aliases: true,
  identifiers: true,
  sources: true,
  firstSeenAt: true,
  lastSeenAt: true,
  openFindings: true,
  riskScore: true,
})
  .meta({ id: 'SuggestedAsset' })
  .nullable()
  .meta({ description: 'null: the asset was deleted or merged' });

const { seen: _seen, assetPlace: _asset, intoPlace: _into, ...shape } = StoredSuggestion.shape;

export const MergeSuggestion = objectNamed('MergeSuggestion', {
  ...shape,
  reason: z.string().meta({ example: 'Both have the address 10.0.0.7.' }),
  asset: Shown,
  into: Shown,
});
export type MergeSuggestion = z.infer<typeof MergeSuggestion>;

export const SuggestionQuery = Listing.extend({
  status: z.enum(SUGGESTION_STATUSES).optional(),
  assetId: Id.optional().meta({ description: 'the identifiers of this asset' }),
});
export type SuggestionQuery = z.output<typeof SuggestionQuery>;
