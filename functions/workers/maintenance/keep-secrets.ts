import * as z from 'zod';
import { apexMachines } from '#shared/apex/presence.ts';
import { apiKeys } from '#shared/credentials/api-key.ts';
import { type LinkToken, linkTokens } from '#shared/credentials/link-token.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { revoke } from '#shared/credentials/revoke.ts';
import { isReplaced, isSecretRow } from '#shared/credentials/secret-rows.ts';
import { serviceAccounts } from '#shared/credentials/service-account.ts';
import { supportGrants } from '#shared/credentials/support-grant.ts';
import { users } from '#shared/people/user.ts';
import { type Credential, credentials } from '#shared/platform/auth/credential.ts';
import type { MachineKind } from '#shared/platform/auth/permissions.ts';
import { givePlace } from '#shared/platform/quotas/places.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { commit, writeRows } from '#shared/platform/table/io/commit.ts';
import { getRows } from '#shared/platform/table/io/read.ts';
import { condition } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE, type Row } from '#shared/platform/table/layout/keys.ts';
import { listItemOf } from '#shared/platform/table/layout/record.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { kindOf } from '#shared/platform/table/upkeep/owned.ts';
import { agentMachines } from '#shared/scanning/agents/presence.ts';
import { scannerMachines } from '#shared/scanning/fleet/presence.ts';
import { modifyMachine } from '#shared/scanning/machines/machines.ts';
import { integratorMachines } from '#shared/soc/incidents/integrators.ts';
import { collectorMachines } from '#shared/soc/siem/collectors.ts';

const MAX_NAMED = 100;

/** The secrets that a restoration did not bring back, because they were revoked or replaced since the copy. */
export const KeptSecrets = z.object({
  replaced: z.int().default(0),
  notRestored: z.int().default(0),
  named: z.array(z.object({ kind: z.string(), id: z.string(), name: z.string().optional() })).default([]),
});
export type KeptSecrets = z.infer<typeof KeptSecrets>;

/** Marks a secret that stays while all else is removed: callers wait for a held credential, where a refusal would end machines. */
export async function holdSecret(dynamo: Dynamo, { pk, sk }: Row): Promise<void> {
  try {
    const present = { condition: condition({}), fail: () => new Overtaken() };
    await commit(dynamo, [{ change: { pk, sk }, set: { held: true }, ...present }], new Map());
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error; // gone meanwhile
  }
}

/** Stores the uses of a link token, whose record is about to be removed, in its credential, which stays. */
export async function noteUses(table: Table, row: Row): Promise<void> {
  if (kindOf(row) !== linkTokens.name || !('_c' in row)) return;
  const { id, uses } = listItemOf<LinkToken, never>(row);
  await table.rows(credentials).set({ id }, { uses }, { kind: 'link_token' });
}

/**
 * Opens the secrets of a copy in their current state. Deleted secrets stay deleted, and their records say so. For a
 * deleted organization nothing newer than the copy is known: its secrets come back.
 */
export async function openSecrets(table: Table, rows: readonly Row[], kept: KeptSecrets): Promise<KeptSecrets> {
  const copied = rows.filter(isSecretRow);
  const stands = await openTable(table.dynamo, GLOBAL_SCOPE).find(organizations, table.organizationId, true);
  if (!stands) {
    await writeRows(table.dynamo, { put: copied.map(opened) });
    return kept;
  }
  const now = await getRows(table.dynamo, copied, true);
  const byKey = new Map(now.map((row) => [row.pk, row]));
  let next = kept;
  for (const row of copied) {
    const current = byKey.get(row.pk);
    if (current) await open(table, { copied: row, current });
    else await stayRevoked(table, row);
    next = counted(next, row, current);
  }
  return next;
}

const opened = ({ held: _, uses: __, ...row }: Row): Row => row as Row;

function counted(kept: KeptSecrets, copied: Row, current: Row | undefined): KeptSecrets {
  if (current) return isReplaced(copied, current) ? { ...kept, replaced: kept.replaced + 1 } : kept;
  const { kind = kindOf(copied), id = copied.credentialId ?? copied.personId, name } = copied;
  const one = { kind: String(kind), id: String(id), ...(name !== undefined && { name: String(name) }) };
  return { ...kept, notRestored: kept.notRestored + 1, named: [...kept.named, one].slice(0, MAX_NAMED) };
}

/** The record of then follows first: a step that is repeated finds the mark until the end. */
async function open(table: Table, { copied, current }: { copied: Row; current: Row }): Promise<void> {
  if (kindOf(current) === credentials.name) {
    const [credential, then] = [current as unknown as Credential, copied as unknown as Credential];
    if (credential.uses !== undefined) await useAgain(table, credential.id, credential.uses);
    if (credential.machine && Boolean(credential.disabled) !== Boolean(then.disabled))
      await enable[credential.machine]?.(table, credential.id, !credential.disabled);
  }
  const present = { condition: condition({}), fail: () => new Overtaken() };
  const { pk, sk } = current;
  await commit(
    table.dynamo,
    [{ change: { pk, sk }, set: { held: undefined, uses: undefined }, ...present }],
    new Map(),
  );
}

type Enable = (table: Table, id: string, enabled: boolean) => Promise<unknown>;
const enable: Partial<Record<MachineKind, Enable>> = {
  scanner: (table, id, enabled) => modifyMachine(scannerMachines, table, { id, decide: () => ({ enabled }) }),
  apex: (table, id, enabled) => modifyMachine(apexMachines, table, { id, decide: () => ({ enabled }) }),
  agent: (table, id, enabled) => modifyMachine(agentMachines, table, { id, decide: () => ({ enabled }) }),
  collector: (table, id, enabled) => modifyMachine(collectorMachines, table, { id, decide: () => ({ enabled }) }),
  integrator: (table, id, enabled) => modifyMachine(integratorMachines, table, { id, decide: () => ({ enabled }) }),
};

/** A link token was used since the copy: it stays used. */
async function useAgain(table: Table, id: string, uses: number): Promise<void> {
  const token = await table.find(linkTokens, id, true);
  if (!token || token.uses >= uses) return;
  const status = uses >= token.maxUses ? 'used_up' : token.status;
  await table.update(linkTokens, token, { uses, status }, (batch) => {
    if (status === 'used_up') batch.write(givePlace(table.tenant, 'link-tokens', id));
  });
}

/** A machine keeps its record, with which it cannot sign in. */
async function stayRevoked(table: Table, row: Row): Promise<void> {
  if (kindOf(row) !== credentials.name) return;
  const { id, kind } = row as unknown as Credential;
  if (kind === 'api_key') await revoke(table, apiKeys, id);
  if (kind === 'service_account') await revoke(table, serviceAccounts, id);
  if (kind === 'link_token') await revoke(table, linkTokens, id);
  if (kind === 'user') await table.modify(users, id, () => ({ status: 'deactivated' as const }));
  if (kind === 'support_grant') await revoke(table, supportGrants, id);
}
