import * as z from 'zod';
import type { PlacedArea } from '#functions/contract.ts';
import { service } from '#infra/service.ts';
import type { Method, Route, Routes } from '#shared/platform/http/route.ts';

const route = (method: Method, path: string): Route => ({
  method,
  path,
  summary: '-',
  access: 'authenticated',
  response: z.object({}),
});

/** The shapes of the interface's paths: lists, records, parts of records, fixed words beside ids, batches. */
const shapes: [Method, string][] = [
  ['GET', ''],
  ['POST', ''],
  ['GET', '/search'],
  ['GET', '/status'],
  ['POST', '/bulk'],
  ['GET', '/{id}'],
  ['PATCH', '/{id}'],
  ['DELETE', '/{id}'],
  ['POST', '/{id}/cancel'],
  ['GET', '/{id}/parts'],
  ['POST', '/{id}/parts'],
  ['GET', '/{id}/parts/{part_id}'],
  ['DELETE', '/{id}/parts/{part_id}'],
];

function fakeArea(name: string, prefix: string, count: number): PlacedArea {
  const routes: Routes = {};
  for (const [n, [method, path]] of shapes.slice(0, count).entries())
    routes[`${name}${n}`] = route(method, `${prefix}${path}`);
  return { name, wing: 'fake', routes, load: () => Promise.reject(new Error('never called')) };
}

/**
 * A service with this many routes in areas of up to thirteen. Every third area lies under the prefix of the previous
 * one, and every fifth is spread over the paths of another area's records: such layouts could shadow one another.
 */
export function fakeAreas(total: number): PlacedArea[] {
  const areas: PlacedArea[] = [];
  for (let left = total, n = 0; left > 0; n++) {
    const count = Math.min(left, shapes.length);
    const parent = `/api/v1/area-${n - 1}`;
    const prefix = n % 5 === 4 ? `${parent}/{id}/extra` : n % 3 === 2 ? `${parent}/nested` : `/api/v1/area-${n}`;
    areas.push(fakeArea(`area-${n}`, prefix, count));
    left -= count;
  }
  return areas;
}

export const fakeService = (total: number) => ({ ...service, areas: fakeAreas(total) });
