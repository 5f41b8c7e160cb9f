import * as z from 'zod';
import { manager, readsScans } from '#shared/platform/auth/access.ts';
import { Listing, Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, Id, objectNamed, patchBody, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, remove } from '#shared/platform/http/route.ts';
import { PublicScanner, PublicScannerUpdate } from '#shared/scanning/scanners/scanner.ts';

const base = '/api/v1/validation-operations/public-scanners';

const PublicSourceIp = objectNamed('PublicScannerSourceIp', {
  cidr: z.string(),
  scannerId: Id,
  groupId: Id,
  groupName: z.string(),
  region: z.string().nullable(),
  validFrom: Timestamp,
  validUntil: Timestamp.nullable(),
});
export type PublicSourceIp = z.infer<typeof PublicSourceIp>;

export const publicScannerRoutes = defineRoutes({
  listPublicScanners: get(base, {
    operation: 'List Public Scanners',
    summary: "List the provider's scanners, newest first",
    description: '`publicGroupIds` are the pools of a scanner.',
    access: manager,
    query: Listing,
    response: pageOf(PublicScanner),
  }),
  listPublicSourceIps: get(`${base}/source-ips`, {
    operation: 'List Public Scanner Source IPs',
    summary: 'List the source addresses of the pools that you may use',
    description:
      'Allow an address in your firewall from `validFrom` until `validUntil`. A change is listed a week before it takes effect. A ' +
      'scanner without declared addresses is listed with the address of its last poll.',
    access: readsScans,
    query: Pagination,
    response: pageOf(PublicSourceIp),
  }),
  getPublicScanner: get(`${base}/{id}`, {
    operation: 'Get Public Scanner',
    summary: "Read one of the provider's scanners",
    description:
      '`sourceIps` are the addresses without an end, including announced addresses. The list is empty if nobody declared the ' +
      'addresses of the scanner.',
    access: manager,
    response: PublicScanner,
  }),
  updatePublicScanner: patch(`${base}/{id}`, {
    operation: 'Update Public Scanner',
    summary: "Change one of the provider's scanners and its pools",
    description:
      'A change of `sourceIps` takes effect after a week: added addresses become valid then, and removed addresses stay valid ' +
      'until then. Only the first addresses of a scanner are valid at once. The answer lists the addresses without an end.',
    access: manager,
    body: patchBody(PublicScanner, PublicScannerUpdate),
    response: PublicScanner,
  }),
  deletePublicScanner: remove(`${base}/{id}`, {
    operation: 'Delete Public Scanner',
    summary: "Remove one of the provider's scanners",
    description: "The scanner's credential is revoked within a minute, and its tasks return to their pool.",
    access: manager,
    response: Deletion,
  }),
});
