import * as z from 'zod';
import { adminOf } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, Id, objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { ScanCredential, SecretFields, SecretRelease } from '#shared/scanning/scan-credentials/scan-credential.ts';

const path = '/api/v1/credentials';
const admin = adminOf('scanning');

/** A credential in requests: with its secret, which is stored encrypted and is in no answer. */
const ScanCredentialWrite = ScanCredential.extend({
  secret: SecretFields.meta({
    description: 'write-only. ssh: password or privateKey; smb and web_login: password; the others: token',
    writeOnly: true,
    example: { password: 'correct horse battery staple' },
  }),
}).meta({ id: 'ScanCredentialWrite' });

/** A credential with its secret, for a scanner. */
const ReleasedCredential = objectNamed('ReleasedCredential', {
  id: Id,
  name: z.string(),
  kind: ScanCredential.shape.kind,
  username: z.string().nullable(),
  domain: z.string().nullable(),
  secret: SecretFields,
});
export type ReleasedCredential = z.infer<typeof ReleasedCredential>;

export const scanCredentialRoutes = defineRoutes({
  listCredentials: get(path, {
    summary: 'List the credentials for scans, newest first, without their secrets',
    description: '`secretFields` names the fields of the secret that are set. A secret can be replaced but not read.',
    access: admin,
    query: Listing,
    response: pageOf(ScanCredential),
  }),
  createCredential: post(path, {
    summary: 'Create a credential for scans',
    description:
      'The secret is encrypted with a key of the deployment. Only a scanner with a leased task that needs the secret can read it. ' +
      'Engagements refer to the credential by `credentialIds`. The credential is bound to its `targets` and `zones`: an engagement ' +
      'that would use the credential elsewhere waits as `requested` for the decision of an administrator.',
    access: admin,
    body: createBody(ScanCredentialWrite),
    response: ScanCredential,
  }),
  getCredential: get(`${path}/{id}`, {
    summary: 'Read a credential, without its secret',
    description:
      '`secretUpdatedAt` is the time of the last change of the secret itself. `/releases` lists the scanners that got the secret.',
    access: admin,
    response: ScanCredential,
  }),
  updateCredential: patch(`${path}/{id}`, {
    summary: 'Change a credential or its secret',
    description:
      'A merge patch; `secret` is replaced as a whole, `kind` cannot change. Later requests get the new secret.',
    access: admin,
    body: patchBody(ScanCredentialWrite.partial({ secret: true }), ScanCredentialWrite),
    response: ScanCredential,
  }),
  deleteCredential: remove(`${path}/{id}`, {
    summary: 'Delete a credential that no open engagement uses',
    description: 'While open engagements refer to the credential, the answer is `conflict` with these engagements.',
    access: admin,
    response: Deletion,
  }),
  listCredentialReleases: get(`${path}/{id}/releases`, {
    summary: 'List the releases of a credential: scanner, time and task, newest first',
    description: 'Releases are kept after the credential is deleted.',
    access: admin,
    query: Listing,
    response: pageOf(SecretRelease),
  }),
  releaseTaskSecrets: get('/api/v1/scanner_communication/tasks/{id}/secrets', {
    summary: 'Get the credentials that a leased task needs',
    description:
      'Only the scanner that holds the task can read the credentials, once per attempt: if the answer is lost, report the task as ' +
      'failed and lease it again. Every release is recorded for administrators. Keep the secrets only in memory.',
    access: { machines: ['scanner'] },
    response: z.object({ taskId: Id, attempt: z.int(), credentials: z.array(ReleasedCredential) }),
  }),
});
