import type { AreaHandler } from '#shared/http/area.ts';
import type { Routes } from '#shared/http/route.ts';
import type { Needs } from './needs.ts';

/** An area of the interface: one Lambda. `load` imports its handler with the AWS clients; the routes need none. */
export type Area = { name: string; routes: Routes; needs?: Needs; load: () => Promise<{ handler: AreaHandler }> };
