import * as z from 'zod';
import { admin } from '#shared/auth/access.ts';
import { ScanCredential, SecretFields, SecretRelease } from '#shared/entities/scan-credential.ts';
import { Pagination, pageOf } from '#shared/http/pagination.ts';
import { createBody, Deletion, Id, patchBody } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';

const path = '/api/v1/credentials';

/** What a request may give besides: it is encrypted, and no answer has it. */
const ScanCredentialWrite = ScanCredential.extend({
  secret: SecretFields.meta({
    description: 'write-only. ssh: password or privateKey; smb and web_login: password; the others: token',
    writeOnly: true,
    example: { password: 'correct horse battery staple' },
  }),
}).meta({ id: 'ScanCredentialWrite' });

/** A credential as the scanner that needs it gets it. */
const ReleasedCredential = z
  .object({
    id: Id,
    name: z.string(),
    kind: ScanCredential.shape.kind,
    username: z.string().nullable(),
    domain: z.string().nullable(),
    secret: SecretFields,
  })
  .meta({ id: 'ReleasedCredential' });
export type ReleasedCredential = z.infer<typeof ReleasedCredential>;

export const scanCredentialRoutes = defineRoutes({
  listCredentials: {
    method: 'GET',
    path,
    summary: 'List the credentials for scans, newest first, without their secrets',
    access: admin,
    query: Pagination,
    response: pageOf(ScanCredential),
  },
  createCredential: {
    method: 'POST',
    path,
    summary: 'Keep a credential for scans',
    description:
      'The secret is encrypted with a key of the deployment and never answered to anybody but the scanner that holds a ' +
      'task which needs it. Engagements refer to it by `credentialIds`.',
    access: admin,
    body: createBody(ScanCredentialWrite, ['name', 'kind', 'description', 'username', 'domain', 'secret']),
    response: ScanCredential,
  },
  getCredential: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read a credential, without its secret',
    access: admin,
    response: ScanCredential,
  },
  updateCredential: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change a credential or its secret',
    description:
      'A merge patch; `secret` is replaced whole. The kind stays. Tasks that ask from now on get the new one.',
    access: admin,
    body: patchBody(ScanCredentialWrite.partial({ secret: true }), ScanCredentialWrite),
    response: ScanCredential,
  },
  deleteCredential: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Remove a credential that no engagement needs any more',
    description: 'While an engagement that has not ended refers to it: `conflict`, with the engagements.',
    access: admin,
    response: Deletion,
  },
  listCredentialReleases: {
    method: 'GET',
    path: `${path}/{id}/releases`,
    summary: 'Which scanner got a credential, when and for which task, newest first',
    description: 'They are kept when the credential is removed.',
    access: admin,
    query: Pagination,
    response: pageOf(SecretRelease),
  },
  releaseTaskSecrets: {
    method: 'GET',
    path: '/api/v1/scanner_communication/tasks/{id}/secrets',
    summary: 'Get the credentials that a leased task needs',
    description:
      'Only for the scanner that holds the task, and once per attempt: a scanner whose answer was lost reports the task ' +
      'as failed and gets it anew. Every release is kept where administrators read it. Keep them in memory only.',
    access: { machines: ['scanner'] },
    response: z.object({ taskId: Id, attempt: z.int(), credentials: z.array(ReleasedCredential) }),
  },
});
