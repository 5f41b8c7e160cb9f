import type * as z from 'zod';
import { InventoryType, AssetType as ReportedType } from './report.ts';

/** The types of scan targets, and types that only inventories and people name. */
export const AssetType = InventoryType;
export type AssetType = z.infer<typeof AssetType>;

/** Whether a scan may have an asset of this type as its target. */
export const isTargetType = (type: AssetType): type is z.infer<typeof ReportedType> =>
  ReportedType.safeParse(type).success;

/** The types that fit into the positions of assets; only marks find the others. */
export const POSITIONED_TYPES: readonly string[] = ReportedType.options;
