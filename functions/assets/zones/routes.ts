import * as z from 'zod';
import { Zone } from '#shared/assets/zones/zone.ts';
import { admin, reads } from '#shared/platform/auth/access.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';

const path = '/api/v1/zones';

const ZoneCreate = z
  .strictObject({
    name: z.string().trim().min(1).max(120).meta({ description: 'as assets and scanners name it', example: 'plant-1' }),
    description: Zone.shape.description,
    cidrs: Zone.shape.cidrs,
  })
  .meta({ id: 'ZoneCreate' });

export const zoneRoutes = defineRoutes({
  listZones: {
    method: 'GET',
    path,
    summary: 'List zones, newest first',
    description: 'Zones that only assets or scanners name have no record, and place no address.',
    access: reads('assets:read'),
    query: Pagination,
    response: pageOf(Zone),
  },
  createZone: {
    method: 'POST',
    path,
    summary: 'Describe a zone and its subnets',
    description:
      'From then on an import that names no zone places each address by the longest prefix. Assets that stand without a zone stay where ' +
      'they are. A block belongs to one zone (`conflict`).',
    access: admin,
    body: ZoneCreate,
    response: Zone,
  },
  getZone: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read a zone',
    description: 'Its assets: `GET /api/v1/assets?zone=<name>`.',
    access: reads('assets:read'),
    response: Zone,
  },
  updateZone: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change the subnets of a zone',
    description:
      'A merge patch; `cidrs` are replaced whole. The name stays, because assets and scanners name the zone by it.',
    access: admin,
    body: patchBody(Zone),
    response: Zone,
  },
  deleteZone: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete the record of a zone',
    description: 'Its subnets place no address any more. Assets and scanners keep the name of the zone.',
    access: admin,
    response: Deletion,
  },
});
