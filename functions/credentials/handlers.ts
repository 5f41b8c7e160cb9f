import { now } from '#shared/clock.ts';
import {
  ScanCredential,
  type SecretFields,
  scanCredentials,
  secretReleases,
} from '#shared/entities/scan-credential.ts';
import { invalid } from '#shared/http/errors.ts';
import { mergePatch } from '#shared/http/records.ts';
import type { Call, Handlers } from '#shared/http/route.ts';
import { credentialUses } from '#shared/scanning/credential-uses.ts';
import { putWrite } from '#shared/table/row.ts';
import { deleteCredential } from './delete-credential.ts';
import { releaseSecrets } from './release.ts';
import type { credentialRoutes } from './routes.ts';
import { checkSecret, openSecret, sealWrite, setFields } from './secret.ts';

async function createCredential({ ports, table, body }: Call<typeof credentialRoutes.createCredential>) {
  const { secret, ...fields } = body;
  checkSecret(fields.kind, secret, fields.username);
  const [id = ''] = await table.reserve(scanCredentials, 1);
  const batch = table.batch();
  const set = { secretFields: setFields(secret), secretUpdatedAt: now() };
  const credential = batch.create(scanCredentials, table.stamp<ScanCredential>({ ...fields, ...set, id }));
  batch.write(await sealWrite(ports, table, { id, secret }));
  batch.write(putWrite(table.scope, credentialUses, { row: { credentialId: id, rev: 0 } }));
  await batch.commit();
  return credential;
}

async function updateCredential(call: Call<typeof credentialRoutes.updateCredential>) {
  const { ports, table, params, body, request } = call;
  const { secret, ...patch } = body;
  const standing = await table.get(scanCredentials, params.id, true);
  const wanted = mergePatch(ScanCredential, standing, { patch, ifMatch: request.headers['if-match'] });
  if (secret === null) throw invalid('secret', 'is required and cannot be cleared');
  if (!wanted && !secret) return standing;
  const next = { ...standing, ...wanted };
  if (next.kind !== standing.kind) throw invalid('kind', 'stays; make another credential');
  const known: SecretFields | undefined = secret ?? (await openSecret(ports, table, params.id));
  if (known) checkSecret(next.kind, known, next.username);
  const batch = table.batch();
  const set = secret && { secretFields: setFields(secret), secretUpdatedAt: now() };
  const updated = batch.update(scanCredentials, standing, table.changed(standing, { ...wanted, ...set }));
  if (secret) batch.write(await sealWrite(ports, table, { id: params.id, secret }));
  await batch.commit();
  return updated;
}

export const credentialHandlers: Handlers<typeof credentialRoutes> = {
  listCredentials: ({ table, query }) => table.list(scanCredentials, query),
  createCredential,
  getCredential: ({ table, params }) => table.get(scanCredentials, params.id),
  updateCredential,
  deleteCredential: ({ table, params }) => deleteCredential(table, params.id),

  async listCredentialReleases({ table, params: { id }, query }) {
    const page = await table.list(secretReleases, { ...query, parent: { list: 'credential', id } });
    if (page.totalCount === 0) await table.get(scanCredentials, id);
    return page;
  },

  releaseTaskSecrets: ({ ports, table, caller, params, request }) =>
    releaseSecrets({ ports, table, scannerId: caller.id, address: request.ip }, params.id),
};
