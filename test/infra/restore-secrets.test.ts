import { expect, test } from 'vitest';
import { keepDeletions } from '#infra/restore/deletions.ts';
import { keepSecrets } from '#infra/restore/secrets.ts';
import { ensureTable } from '#local/table-setup.ts';
import { apiKeys } from '#shared/credentials/api-key.ts';
import { createOrganization } from '#shared/credentials/bootstrap.ts';
import { createApiKey, createLinkToken, createServiceAccount } from '#shared/credentials/issue.ts';
import { linkTokens } from '#shared/credentials/link-token.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { revoke } from '#shared/credentials/revoke.ts';
import { approveDeletion, cancelDeletion, readDeletion, requestDeletion } from '#shared/organizations/deletion.ts';
import { readCredential, rotateSecret } from '#shared/platform/auth/credential.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { scanPage } from '#shared/platform/table/upkeep/owned.ts';
import { placedTimer, timers } from '#shared/platform/timers/timers.ts';
import { useStore } from '../support/store.ts';

const store = useStore();

async function copyOfTable(name: string) {
  const { dynamo } = store;
  const copy = { ...dynamo, tableName: `${dynamo.tableName}-${name}` };
  await ensureTable(dynamo.client as never, copy.tableName);
  let from: Awaited<ReturnType<typeof scanPage>>['next'];
  do {
    const { rows, next } = await scanPage(dynamo, from);
    await writeRows(copy, { put: rows });
    from = next;
  } while (from);
  return copy;
}

test('the table of an earlier second brings back no secret that was revoked, replaced or used since', async () => {
  const { dynamo } = store;
  const { organizationId } = await createOrganization({ dynamo }, 'Acme');
  const { organizationId: removed } = await createOrganization({ dynamo }, 'Removed');
  const table = openTable(dynamo, organizationId);
  const token = { kind: 'scanner' as const, maxUses: 2, expiresAt: inSeconds(3600), zone: null, group: null };
  const [stolen, stays] = [
    await createApiKey(table, { name: 'stolen', scopes: [], expiresAt: null }),
    await createApiKey(table, { name: 'stays', scopes: [], expiresAt: null }),
  ];
  const account = await createServiceAccount(table, { name: 'rotated', role: 'viewer' });
  const [used, unused] = [await createLinkToken(table, token), await createLinkToken(table, token)];
  const ofRemoved = await createApiKey(openTable(dynamo, removed), { name: 'x', scopes: [], expiresAt: null });
  const restored = await copyOfTable('then');

  await revoke(table, apiKeys, stolen.id);
  await rotateSecret(dynamo, { organizationId, id: account.id }, { overlapSeconds: 0 });
  await table.modify(linkTokens, used.id, () => ({ uses: 1 }) as never);
  const all = openTable(dynamo, GLOBAL_SCOPE);
  await all.delete(organizations, await all.get(organizations, removed));
  for (const _ of ['once', 'repeated']) {
    const told: string[] = [];
    await keepSecrets(dynamo, restored, (line) => told.push(line));
    const then = (id: string, of = organizationId) => readCredential(restored, { organizationId: of, id });
    expect(await then(stolen.id)).toBeUndefined();
    expect(await then(used.id)).toBeUndefined();
    expect(await then(account.id)).toEqual(await readCredential(dynamo, { organizationId, id: account.id }));
    for (const { id } of [stays, unused]) expect(await then(id)).toBeDefined();
    expect(await then(ofRemoved.id, removed)).toBeDefined();
    if (_ === 'once')
      expect(told).toEqual([
        `stays revoked: api_key ${stolen.id} stolen`,
        `stays used: link token ${used.id}`,
        'keeps 1 secrets that were replaced, and ends 2',
      ]);
  }
});

test('a deletion that was cancelled since does not begin after a restoration, and one that was approved since does', async () => {
  const { dynamo } = store;
  const owner = async () => {
    const { organizationId } = await createOrganization({ dynamo }, 'Provider');
    const table = openTable(dynamo, organizationId);
    const { id } = await createServiceAccount(table, { name: 'owner', role: 'platform_owner' });
    const who = { kind: 'service_account', role: 'platform_owner' } as const;
    return { table, caller: { ...who, id, name: 'owner', organizationId } };
  };
  const [asking, second] = [await owner(), await owner()];
  const made = async (name: string) => (await createOrganization({ dynamo }, name)).organizationId;
  const [kept, gone, later] = [await made('Kept'), await made('Gone'), await made('Later')];
  const approve = async (organizationId: string, name: string) => {
    await requestDeletion(asking, { organizationId, name });
    return approveDeletion(second, { organizationId, name });
  };
  const at = Date.parse((await approve(kept, 'Kept')).deletionAt ?? '');
  await approve(gone, 'Gone');
  const restored = await copyOfTable('deletions');

  await cancelDeletion(asking, kept);
  const all = openTable(dynamo, GLOBAL_SCOPE);
  await all.delete(organizations, await all.get(organizations, gone));
  await approve(later, 'Later');
  for (let n = 0; n < 2; n++) await keepDeletions(dynamo, restored, () => undefined);
  expect(await readDeletion(restored, kept)).toMatchObject({ status: 'cancelled', deletionAt: null });
  expect(await readDeletion(restored, gone)).toMatchObject({ status: 'cancelled', deletionAt: null });
  expect((await readDeletion(restored, later)).status).toBe('approved');
  const timer = { kind: 'organization-deletion' as const, organizationId: kept, id: kept, at };
  const timersOf = openTable(restored, GLOBAL_SCOPE).rows(timers);
  expect(await timersOf.find(placedTimer(timer), true)).toBeUndefined();
});
