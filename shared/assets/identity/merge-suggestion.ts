import * as z from 'zod';
import { Actor, Id, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { TRAIT_KINDS } from '../asset/asset-traits.ts';
import { CommonPlace, commonMarks, IN_PART_OF_ALL } from '../asset/common-place.ts';

export const SUGGESTION_STATUSES = ['open', 'accepted', 'dismissed'] as const;

const Kind = z.enum(TRAIT_KINDS);
const Evidence = z.object({ kind: Kind, values: z.array(z.string()) });

/** Two assets that may be one machine or one repository. */
export const StoredSuggestion = z.object({
  ...recordFields,
  assetId: readOnly(Id.meta({ description: 'the asset that would be merged' })),
  intoId: readOnly(Id.meta({ description: 'the asset that would stay' })),
  status: readOnly(z.enum(SUGGESTION_STATUSES)),
  certain: readOnly(
    z.boolean().meta({
      description: 'the rules prove that both are the same machine (docs/identity.md), but automatic merging is off',
    }),
  ),
  by: readOnly(Kind.nullable().meta({ description: 'the most trusted kind of identifier that they share' })),
  evidence: readOnly(z.array(Evidence).meta({ description: 'the identifiers that they share' })),
  differing: readOnly(z.array(Kind).meta({ description: 'kinds of identifiers in which they differ' })),
  decidedBy: readOnly(Actor.nullable()),
  decidedAt: readOnly(Timestamp.nullable()),
  taskId: readOnly(Id.nullable().meta({ description: 'the merge task of an accepted suggestion' })),
  /** The evidence with which people left the two apart; more of it asks them again. */
  seen: z.array(z.string()),
  /** Where the two assets are, or were when they were last there. */
  assetPlace: CommonPlace.optional(),
  intoPlace: CommonPlace.optional(),
});
export type StoredSuggestion = z.infer<typeof StoredSuggestion>;

/** One text for two assets, whichever comes first. */
export const pairOf = (ids: readonly [string, string]): string => [...ids].sort().join(' ');

export const mergeSuggestions = defineEntity(StoredSuggestion, {
  name: 'merge-suggestion',
  /** Who sees both assets sees the suggestion. */
  inPart: [IN_PART_OF_ALL, { zones: 'intoZone', applicationIds: 'intoApplication', teamIds: 'intoOwner' }],
  dimensions: { status: SUGGESTION_STATUSES },
  feedFields: ['assetId', 'intoId', 'status', 'by', 'certain'],
  indexed: ({ assetId, intoId, evidence, assetPlace, intoPlace = {} }) => ({
    asset: [assetId, intoId],
    ...commonMarks(assetPlace),
    intoZone: intoPlace.zone,
    intoApplication: intoPlace.applicationIds,
    intoOwner: intoPlace.assetOwnerId,
    identifier: evidence.flatMap(({ kind, values }) => values.slice(0, 3).map((value) => `${kind}=${value}`)),
  }),
  unique: ({ assetId, intoId }) => ({ pair: pairOf([assetId, intoId]) }),
});
