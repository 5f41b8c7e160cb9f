import * as z from 'zod';
import { Zone } from '#shared/assets/zones/zone.ts';
import { adminOf, reads } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';

const path = '/api/v1/zones';
const admin = adminOf('assets');

const ZoneCreate = z
  .strictObject({
    name: z.string().trim().min(1).max(120).meta({ description: 'as assets and scanners name it', example: 'plant-1' }),
    description: Zone.shape.description,
    cidrs: Zone.shape.cidrs,
  })
  .meta({ id: 'ZoneCreate' });

export const zoneRoutes = defineRoutes({
  listZones: get(path, {
    summary: 'List zones, newest first',
    description: 'A zone that only assets or scanners name has no record and no subnets.',
    access: reads('assets:read'),
    query: Listing,
    response: pageOf(Zone),
  }),
  createZone: post(path, {
    summary: 'Create a zone with its subnets',
    description:
      'From then on, an import that names no zone puts each address into the zone with the longest matching prefix. Existing ' +
      'assets without a zone stay without a zone. A block belongs to one zone (`conflict`).',
    access: admin,
    body: ZoneCreate,
    response: Zone,
  }),
  getZone: get(`${path}/{id}`, {
    summary: 'Read a zone',
    description: '`GET /api/v1/assets?zone=<name>` lists the assets of the zone.',
    access: reads('assets:read'),
    response: Zone,
  }),
  updateZone: patch(`${path}/{id}`, {
    summary: 'Change the subnets of a zone',
    description:
      'A merge patch; `cidrs` are replaced whole. The name cannot change, because assets and scanners refer to it.',
    access: admin,
    body: patchBody(Zone),
    response: Zone,
  }),
  deleteZone: remove(`${path}/{id}`, {
    summary: 'Delete the record of a zone',
    description: 'Imports no longer use its subnets. Assets and scanners keep the name of the zone.',
    access: admin,
    response: Deletion,
  }),
});
