import * as z from 'zod';
import { figureLinks, filtered, withLists } from '#shared/platform/http/figures.ts';
import { OperatingSystem } from '#shared/reports/report/report.ts';
import { writtenOs } from './operating-system.ts';

/** An operating system with the number of assets that have it. */
export const AssetsOfSystem = OperatingSystem.extend({ assets: z.int().nonnegative(), ...figureLinks });

export const assetsOfSystem = (system: OperatingSystem, assets: number): z.infer<typeof AssetsOfSystem> =>
  withLists(
    { ...system, assets },
    { assets: filtered('/api/v1/assets')(`retired:false system:"${writtenOs(system)}"`) },
  );
