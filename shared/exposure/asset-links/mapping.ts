import * as z from 'zod';
import { Asset } from '#shared/assets/asset/asset.ts';
import { mappingId } from '#shared/assets/asset/asset-link.ts';
import { Actor, Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import type { ListAsset } from '../asset-rules/ruleset.ts';

/** The link of an asset to an application, made by people or by a rule. */
export const ApplicationAssetMapping = objectNamed('ApplicationAssetMapping', {
  id: Id,
  applicationId: Id,
  assetId: Id,
  asset: Asset.pick({ id: true, type: true, name: true, value: true, zone: true }),
  environmentId: Id.nullable(),
  note: z.string().nullable(),
  origin: z.enum(['manual', 'bulk', 'rule']),
  ruleId: Id.nullable(),
  createdAt: Timestamp,
  createdBy: Actor.nullable().meta({ description: 'null: a rule' }),
});
export type ApplicationAssetMapping = z.infer<typeof ApplicationAssetMapping>;

/** The answer for the link of an asset to an application; a person's link comes before a rule's. */
export function mappingOf(asset: ListAsset, applicationId: string): ApplicationAssetMapping | undefined {
  const { id: assetId, type, name, value, zone, links = [], ruleLinks = [] } = asset;
  const byHand = links.find((link) => link.applicationId === applicationId);
  const link = byHand ?? ruleLinks.find((one) => one.applicationId === applicationId);
  if (!link) return undefined;
  return {
    id: mappingId(assetId, applicationId),
    applicationId,
    assetId,
    asset: { id: assetId, type, name, value, zone },
    environmentId: link.environmentId ?? null,
    note: byHand?.note ?? null,
    origin: byHand?.origin ?? 'rule',
    ruleId: 'ruleId' in link ? link.ruleId : null,
    createdAt: link.at,
    createdBy: byHand?.by ?? null,
  };
}
