import type { Needs } from '#functions/needs.ts';
import type { AreaHandler } from '#shared/platform/http/area.ts';
import type { Routes } from '#shared/platform/http/route.ts';

/** An area of the interface: one Lambda. `load` imports its handler with the AWS clients; the routes need none. */
export type Area = { name: string; routes: Routes; needs?: Needs; load: () => Promise<{ handler: AreaHandler }> };

/** The areas of a wing by their names. */
export type Areas = Record<string, Omit<Area, 'name'>>;

/** The area whose function answers paths without an operation; of a service without the reference, any. */
export const unknownPathsArea = <A extends Pick<Area, 'name'>>(areas: readonly A[]): A | undefined =>
  areas.find(({ name }) => name === 'reference') ?? areas[0];
