import * as z from 'zod';
import { TaskType } from '#shared/assets/targets/scan-target.ts';
import { manager, readsScans } from '#shared/platform/auth/access.ts';
import { Listing, Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, Id, objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { PublicScannerGroup } from '#shared/scanning/scanners/public-scanner-group.ts';

const base = '/api/v1/validation-operations/public-scanner-groups';

const CreatePool = createBody(PublicScannerGroup, {
  visibility: PublicScannerGroup.shape.visibility
    .unwrap()
    .optional()
    .meta({ description: 'by default `selected` with `organizationIds`, otherwise `all`' }),
});

/** A pool in answers to clients, without other clients. */
const PublicGroupOption = objectNamed('PublicScannerGroupOption', {
  id: Id,
  name: z.string(),
  description: z.string().nullable(),
  region: z.string().nullable(),
  taskTypes: z.array(TaskType).meta({ description: 'none: all' }),
  sourceIps: z.array(z.string()).meta({ description: 'the addresses from which it scans now' }),
  availability: z.enum(['available', 'degraded', 'unavailable']).meta({
    description: 'degraded: some of its scanners are offline; unavailable: all are, or the pool is closed',
  }),
  myPending: z.int().nonnegative(),
  myRunning: z.int().nonnegative(),
});
export type PublicGroupOption = z.infer<typeof PublicGroupOption>;

const ListItem = PublicScannerGroup.omit({ description: true, organizationIds: true }).meta({
  id: 'PublicScannerGroupListItem',
});

export const publicScannerGroupRoutes = defineRoutes({
  listPublicGroups: get(base, {
    operation: 'List Public Groups',
    summary: 'List the pools of shared scanners that your organization provides, newest first',
    description:
      'Disabled pools are listed too. `sourceIps` are the currently valid addresses. Get a pool to read its `description` and ' +
      '`organizationIds`.',
    access: manager,
    query: Listing,
    response: pageOf(ListItem),
  }),
  createPublicGroup: post(base, {
    operation: 'Create Public Group',
    summary: 'Create a pool of shared scanners',
    description:
      'The scanners of the pool belong to your organization: link them with a token whose `group` is the pool, or name them in ' +
      '`scannerIds`. A scanner in a pool takes no other tasks. Clients are served in turn: with each poll a scanner takes tasks of ' +
      'the next organization with waiting tasks, within the limits. `least_loaded`: a scanner with more than its share takes one ' +
      'task at a time.',
    access: manager,
    body: CreatePool,
    response: PublicScannerGroup,
  }),
  listPublicGroupOptions: get(`${base}/options`, {
    operation: 'List Public Group Options',
    summary: 'List the pools that your organization may use',
    description: 'Send the id of a pool as `publicScannerGroupId` of an engagement.',
    access: readsScans,
    query: Pagination,
    response: pageOf(PublicGroupOption),
  }),
  getPublicGroup: get(`${base}/{id}`, {
    operation: 'Get Public Group',
    summary: 'Read a pool',
    description:
      '`sourceIps` are the currently valid addresses, without announced addresses. A pool of another organization is `not_found`.',
    access: manager,
    response: PublicScannerGroup,
  }),
  updatePublicGroup: patch(`${base}/{id}`, {
    operation: 'Update Public Group',
    summary: 'Change a pool',
    description:
      '`enabled: false` drains the pool. `scannerIds` replaces its scanners. `organizationIds` without `visibility` set the ' +
      'visibility to `selected`.',
    access: manager,
    body: patchBody(PublicScannerGroup),
    response: PublicScannerGroup,
  }),
  deletePublicGroup: remove(`${base}/{id}`, {
    operation: 'Delete Public Group',
    summary: 'Delete a pool that has no waiting or running tasks',
    description:
      'The scanners of the pool stay and work for your organization. Client engagements that name the pool fail at their next run.',
    access: manager,
    response: Deletion,
  }),
});
