import * as z from 'zod';
import { Id, objectNamed } from '#shared/platform/http/records.ts';
import { BENCHMARKS } from '#shared/reports/report/report.ts';
import { lookOf } from './tool-look.ts';
import type { Look } from './weakness.ts';

/** How long a look counts. PCI DSS 4.0.1 asks for scans every three months (11.3.1, 11.3.2). */
export const LOOK_DAYS = 90;

/** The last completed scan of a tool that looked at an asset. */
export const AssetLook = objectNamed('AssetLook', {
  tool: z.string(),
  day: z.iso
    .date()
    .meta({ description: 'the time of the scan; updated when a week has passed, or when the passed checks change' }),
  taskId: Id.meta({ description: 'the import or scan' }),
  passed: z
    .object({ benchmark: z.enum(BENCHMARKS), checks: z.array(z.string()) })
    .optional()
    .meta({ description: 'the checks of a benchmark that the tool found passed' }),
});
export type AssetLook = z.infer<typeof AssetLook>;

type LookedAt = { looks?: readonly Pick<AssetLook, 'tool' | 'day'>[] | undefined };

/** The kinds of tools that looked at the asset. */
export const looksOf = ({ looks = [] }: LookedAt): Look[] => [
  ...new Set(looks.flatMap(({ tool }) => lookOf(tool) ?? [])),
];

/** The day of its oldest look, which is the first to be over. */
export const oldestLook = ({ looks = [] }: LookedAt): string | undefined =>
  looks.map(({ day }) => day).reduce<string | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined);
