import { canonicalTargets } from '#shared/assets/targets/canonical.ts';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';
import {
  ScanCredential,
  type SecretFields,
  scanCredentials,
  secretReleases,
} from '#shared/scanning/scan-credentials/scan-credential.ts';
import { credentialUses } from '#shared/scanning/scan-credentials/uses.ts';
import { deleteCredential } from './delete-credential.ts';
import { releaseSecrets } from './release.ts';
import type { scanCredentialRoutes } from './routes.ts';
import { checkSecret, openSecret, sealSecret, setFields } from './secret.ts';

async function createCredential({ connections, table, body }: Call<typeof scanCredentialRoutes.createCredential>) {
  const { secret, ...given } = body;
  const fields = { ...given, targets: spelled(given.targets) };
  checkSecret(fields.kind, secret, fields.username);
  const [id = ''] = await table.reserve(scanCredentials, 1);
  const batch = table.batch();
  const set = { secretFields: setFields(secret), secretUpdatedAt: now() };
  const credential = batch.create(scanCredentials, table.stamp<ScanCredential>({ ...fields, ...set, id }));
  batch.write(await sealSecret({ connections, table }, { id, secret }));
  batch.write(putWrite(table.tenant, credentialUses, { row: { credentialId: id, rev: 0 } }));
  await batch.commit();
  return credential;
}

async function updateCredential(call: Call<typeof scanCredentialRoutes.updateCredential>) {
  const { connections, table, params, body, ifMatch } = call;
  const { secret, ...patch } = body;
  const current = await table.get(scanCredentials, params.id, true);
  const wanted = mergePatch(ScanCredential, shown(current), { patch, ifMatch });
  if (secret === null) throw invalid('secret', 'must have a value or be absent: it cannot be cleared');
  if (!wanted && !secret) return shown(current);
  if (wanted?.targets) wanted.targets = spelled(wanted.targets);
  const next = { ...current, ...wanted };
  if (next.kind !== current.kind) throw invalid('kind', 'cannot change: create another credential');
  const known: SecretFields | undefined = secret ?? (await openSecret({ connections, table }, params.id));
  if (known) checkSecret(next.kind, known, next.username);
  const batch = table.batch();
  const set = secret && { secretFields: setFields(secret), secretUpdatedAt: now() };
  const updated = batch.update(scanCredentials, current, table.changed(current, { ...wanted, ...set }));
  if (secret) batch.write(await sealSecret({ connections, table }, { id: params.id, secret }));
  await batch.commit();
  return shown(updated);
}

/** A credential of an older release is bound to nothing. */
const shown = (credential: ScanCredential): ScanCredential => ({ ...UNBOUND, ...credential });
const UNBOUND = { targets: [], zones: [] };

const spelled = (targets: readonly ScanTarget[]): ScanTarget[] =>
  targets.flatMap((target, n) => {
    const found = canonicalTargets(target);
    if ('problem' in found) throw invalid(`targets.${n}.value`, found.problem);
    return found.map((one) => ({ ...target, ...one }));
  });

export const scanCredentialHandlers: Handlers<typeof scanCredentialRoutes> = {
  listCredentials: ({ table, query }) => showEach(table.list(scanCredentials, query), shown),
  createCredential,
  getCredential: async ({ table, params }) => shown(await table.get(scanCredentials, params.id)),
  updateCredential,
  deleteCredential: ({ table, params }) => deleteCredential(table, params.id),

  async listCredentialReleases({ table, params: { id }, query }) {
    const page = await table.list(secretReleases, { ...query, parent: { credential: id } });
    if (page.totalCount === 0) await table.get(scanCredentials, id);
    return page;
  },

  releaseTaskSecrets: ({ connections, table, caller, params, request }) =>
    releaseSecrets({ connections, table, scannerId: caller.id, address: request.ip }, params.id),
};
