import { SupportGrant } from '#shared/credentials/support-grant.ts';
import { admin, ownAdmin } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post, remove } from '#shared/platform/http/route.ts';

const path = '/api/v1/organization/support-grants';

export const supportGrantRoutes = defineRoutes({
  createSupportGrant: post(path, {
    summary: "Let the provider's staff act in your organization for some days",
    description:
      'Without a grant no staff enters an organization, except pentesters the engagements that are assigned to them. The audit log ' +
      'names every act as "name (provider staff)". Whoever acts by a grant creates no credential, grant or role and approves nothing.',
    access: ownAdmin,
    body: createBody(SupportGrant, {
      expiresAt: Timestamp.optional().meta({ description: 'by default a day from now; at most seven days from now' }),
    }),
    response: SupportGrant,
  }),
  listSupportGrants: get(path, {
    summary: 'List support grants, newest first, expired and revoked ones included',
    description: 'The audit log (`GET /api/v1/audit`) has what staff did by them, as "name (provider staff)".',
    access: admin,
    query: Listing,
    response: pageOf(SupportGrant),
  }),
  getSupportGrant: get(`${path}/{id}`, {
    summary: 'Read a support grant',
    description: 'A grant past its end has the `status` `expired`.',
    access: admin,
    response: SupportGrant,
  }),
  revokeSupportGrant: remove(`${path}/{id}`, {
    summary: 'Revoke a support grant',
    description:
      'The access tokens that staff have by the grant end within a minute. The grant stays in the list as `revoked`.',
    access: ownAdmin,
    response: Deletion,
  }),
});
