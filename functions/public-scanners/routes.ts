import * as z from 'zod';
import { reads, staff } from '#shared/auth/access.ts';
import { PublicScanner, PublicScannerUpdate } from '#shared/entities/scanner.ts';
import { Pagination, pageOf } from '#shared/http/pagination.ts';
import { Deletion, Id, patchBody, Timestamp } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';

const base = '/api/v1/validation-operations/public-scanners';

const PublicSourceIp = z
  .object({
    cidr: z.string(),
    scannerId: Id,
    groupId: Id,
    groupName: z.string(),
    region: z.string().nullable(),
    validFrom: Timestamp,
    validUntil: Timestamp.nullable(),
  })
  .meta({ id: 'PublicScannerSourceIp' });
export type PublicSourceIp = z.infer<typeof PublicSourceIp>;

export const publicScannerRoutes = defineRoutes({
  listPublicScanners: {
    method: 'GET',
    path: base,
    operation: 'List Public Scanners',
    summary: "List the provider's scanners, newest first",
    description: '`publicGroupIds` are the pools for which each works.',
    access: staff,
    query: Pagination,
    response: pageOf(PublicScanner),
  },
  listPublicSourceIps: {
    method: 'GET',
    path: `${base}/source-ips`,
    operation: 'List Public Scanner Source IPs',
    summary: 'List the addresses from which the pools that you may use scan, to allow them',
    description:
      'A change is listed a week before it takes effect: allow an address from `validFrom` on, until `validUntil`. An ' +
      'address that nobody declared is the one from which the scanner was last seen.',
    access: reads('scans:trigger'),
    query: Pagination,
    response: pageOf(PublicSourceIp),
  },
  getPublicScanner: {
    method: 'GET',
    path: `${base}/{id}`,
    operation: 'Get Public Scanner',
    summary: "Read one of the provider's scanners",
    access: staff,
    response: PublicScanner,
  },
  updatePublicScanner: {
    method: 'PATCH',
    path: `${base}/{id}`,
    operation: 'Update Public Scanner',
    summary: "Change one of the provider's scanners, and the pools for which it works",
    description:
      '`sourceIps` are announced: what is added holds in a week, what is left out holds until then; only the first ' +
      'that are named hold at once. They are answered with what holds or will hold.',
    access: staff,
    body: patchBody(PublicScanner, PublicScannerUpdate),
    response: PublicScanner,
  },
  deletePublicScanner: {
    method: 'DELETE',
    path: `${base}/{id}`,
    operation: 'Delete Public Scanner',
    summary: "Remove one of the provider's scanners",
    description: 'Its credential is revoked within a minute, and what it holds returns to its pool.',
    access: staff,
    response: Deletion,
  },
});
