import type { AreaHandler } from '#shared/http/area.ts';
import type { Routes } from '#shared/http/route.ts';
import type { Needs } from './needs.ts';

/** An area of the interface: one Lambda. `load` brings its handler, which needs the AWS clients; the routes do not. */
export type Area = { name: string; routes: Routes; needs?: Needs; load: () => Promise<{ handler: AreaHandler }> };

/** Every area of the service; the gateway, the local server, the API reference and the tests start from here. */
export const areas: readonly Area[] = [];
