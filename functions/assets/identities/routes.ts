import * as z from 'zod';
import { IDENTITY_KINDS, IDENTITY_STATUSES, Identity } from '#shared/assets/identity/identity.ts';
import { adminOf, reads } from '#shared/platform/auth/access.ts';
import { filterParameters } from '#shared/platform/filter/read.ts';
import { anyOf, Listing, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { Deletion } from '#shared/platform/http/records.ts';
import { defineRoutes, get, remove } from '#shared/platform/http/route.ts';
import { AlertListItem } from '#shared/soc/alerts/alert.ts';
import { ExposedCredential } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';

const path = '/api/v1/identities';
const admin = adminOf('soc');

const known = z.enum(['true', 'false', 'unknown']).optional();

const filters = {
  ...filterParameters,
  name: z.string().trim().min(1).max(300).optional().meta({
    description: 'a whole name of the identity; letter case does not matter',
  }),
  source: z.string().min(1).max(60).optional(),
  kind: z.enum(IDENTITY_KINDS).optional(),
  status: anyOf(z.enum(IDENTITY_STATUSES)).optional(),
  isPrivileged: known,
  hasMfa: known,
};
export type IdentityFilter = z.output<z.ZodObject<typeof filters>> & { search?: string | undefined };

const access = reads('soc:read');

/** Why a role for a part of the organization does not open these operations. */
const closedToPart = 'an account of a directory is of no asset, and so in no part';

export const identityRoutes = defineRoutes({
  listIdentities: get(path, {
    summary: 'List accounts of people and services, newest first',
    description: 'Integrators send these identities from directories. All filters combine.',
    access,
    closedToPart,
    query: Listing.extend(filters),
    response: searchPageOf(Identity),
  }),
  searchIdentities: get(`${path}/search`, {
    summary: 'Search identities by their names, display name and source',
    description:
      'Each word of `search` must be the beginning of a word of the record. The filters of the list combine with the words.',
    access,
    closedToPart,
    query: SearchQuery.extend(filters),
    response: searchPageOf(Identity),
  }),
  getIdentity: get(`${path}/{id}`, {
    summary: 'Read an identity',
    description: 'The history of an identity is in `GET /api/v1/changes?entity=identity`.',
    access,
    closedToPart,
    response: Identity,
  }),
  listIdentityAlerts: get(`${path}/{id}/alerts`, {
    summary: 'List the alerts that concern an identity, newest first',
    description:
      'Lists alerts with an entity of the type `user` whose value is a name of the identity, including alerts that are older than ' +
      'the identity.',
    access,
    closedToPart,
    query: Listing,
    response: pageOf(AlertListItem),
  }),
  listIdentityCredentials: get(`${path}/{id}/exposed-credentials`, {
    summary: 'List the exposed credentials of an identity, newest first',
    description:
      'Lists exposed credentials whose `account` is a name of the identity, including credentials that are older than the identity.',
    access: reads('findings:read'),
    closedToPart,
    query: Listing,
    response: pageOf(ExposedCredential),
  }),
  deleteIdentity: remove(`${path}/{id}`, {
    summary: 'Delete the record of an identity',
    description:
      'The deletion is permanent. Alerts and exposed credentials stay. An integrator that sends the identity again creates a new ' +
      'record.',
    access: admin,
    closedToPart,
    irreversible: true,
    response: Deletion,
  }),
});
