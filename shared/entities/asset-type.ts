import * as z from 'zod';
import { AssetType as ReportedType } from '../reports/report.ts';

/** Types that no scan target has: inventories and people name such assets. */
const UNSCANNED = ['cloud_resource', 'edr_device'] as const;

export const AssetType = z.enum([...ReportedType.options, ...UNSCANNED]);
export type AssetType = z.infer<typeof AssetType>;

/** Whether a scan may have an asset of this type as its target. */
export const isTargetType = (type: AssetType): type is z.infer<typeof ReportedType> =>
  ReportedType.safeParse(type).success;

/** The types that the positions of assets have room for; the others are found by their marks alone. */
export const POSITIONED_TYPES: readonly string[] = ReportedType.options;
