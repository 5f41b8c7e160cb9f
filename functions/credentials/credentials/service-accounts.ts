import { assertMayGive } from '#shared/credentials/give-role.ts';
import { createServiceAccount } from '#shared/credentials/issue.ts';
import { heldRole, roleToGive } from '#shared/credentials/role.ts';
import { holdersOf } from '#shared/credentials/second-person.ts';
import { serviceAccounts } from '#shared/credentials/service-account.ts';
import { listStaff, MAX_STAFF, staffWrites } from '#shared/credentials/staff.ts';
import { assertPartExists } from '#shared/exposure/applications/part.ts';
import { assertMayAppoint } from '#shared/people/owners.ts';
import { changeCredential } from '#shared/platform/auth/credential.ts';
import { isStaffRole } from '#shared/platform/auth/permissions.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { conflict, fixedLimit } from '#shared/platform/runtime/errors.ts';
import { ChangeableAccount, type credentialRoutes } from './routes.ts';
import { assertStaffFields, endOfLife } from './rules.ts';
import { showCredential } from './show.ts';

export async function createAccount({ table, caller, body }: Call<typeof credentialRoutes.createServiceAccount>) {
  await assertMayAppoint(table, caller, await roleToGive(table, body.role));
  assertStaffFields(body);
  await assertPartExists(table, body.scope, 'scope');
  if (isStaffRole(body.role) && (await listStaff(table.dynamo)).length >= MAX_STAFF)
    throw fixedLimit('A deployment', MAX_STAFF, 'staff accounts', 'revoke one that is no longer needed');
  const makers = isStaffRole(body.role) ? await holdersOf(table, caller.id) : undefined;
  return createServiceAccount(table, { ...body, makers, expiresAt: await endOfLife(table, body.expiresAt) });
}

/** @throws conflict for a revoked account, insufficient_scope when the caller may not give the account's role */
export async function updateAccount(call: Call<typeof credentialRoutes.updateServiceAccount>) {
  const { table, caller, params, body, ifMatch } = call;
  const account = await table.get(serviceAccounts, params.id, true);
  const changes = mergePatch(ChangeableAccount, account, { patch: body, ifMatch });
  if (!changes) return showCredential(table, account);
  assertMayGive(caller, await heldRole(table, account));
  if (account.revokedAt !== null) throw conflict('This service account was revoked.');
  const { organizationId } = table;
  const next = await table.update(serviceAccounts, account, changes, (batch, renamed) => {
    assertStaffFields(renamed);
    const { id, name } = renamed;
    batch.write(changeCredential({ organizationId, id }, { name }), ...staffWrites(organizationId, renamed));
  });
  return showCredential(table, next);
}
