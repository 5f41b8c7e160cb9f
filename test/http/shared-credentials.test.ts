import { describe, expect, test } from 'vitest';
import { scannerMachines } from '#shared/scanning/fleet/presence.ts';
import { readMachinePresence } from '#shared/scanning/machines/machines.ts';
import { savePresence } from '#shared/scanning/machines/save-presence.ts';
import { engageInPool, newPool, takeTasks } from '../support/pools.ts';
import { sshCredential } from '../support/scan-credentials.ts';
import { startSystem, type TestMachine } from '../support/system.ts';

const system = startSystem();
const password = 'of-the-client-alone';
const ssh = sshCredential('192.0.2.10', password);

/** A task that needs a credential of its client, leased by the first of the pool's two scanners. */
async function newLeased() {
  const client = await system.newOrganization();
  const shared = await newPool(system, [client]);
  const colleague = await shared.provider.scanner({ group: shared.pool.id });
  const credential = await client.admin.ok('createCredential', { body: ssh });
  const engagementId = await engageInPool(client, shared.pool.id, { more: { credentialIds: [credential.id] } });
  const [task] = await takeTasks(shared.scanner);
  return { ...shared, client, colleague, credential, engagementId, task, params: { id: task?.id ?? '' } };
}

const notFound = { status: 400, body: { code: 'not_found' } };

describe("a client's credential in a shared pool", () => {
  test('is released once to the scanner with the lease, and the client sees that scanner', async () => {
    const { provider, staff, client, scanner, credential, engagementId, task, params } = await newLeased();
    expect(task?.secretsUrl).toBe(`/api/v1/scanner_communication/tasks/${params.id}/secrets`);
    const ask = () => scanner.client.call('releaseTaskSecrets', { params });
    const answers = await Promise.all([ask(), ask(), ask()]);
    const given = answers.filter(({ status }) => status === 200);
    const [{ body } = { body: {} }] = given;
    expect(body).toEqual({
      taskId: params.id,
      attempt: 1,
      credentials: [
        { id: credential.id, name: 'Backup user', kind: 'ssh', username: 'backup', domain: null, secret: { password } },
      ],
    });
    expect(given).toHaveLength(1);
    expect(await ask()).toMatchObject({ status: 400, body: { code: 'conflict' } });
    const of = { params: { id: credential.id } };
    const releases = await client.admin.ok('listCredentialReleases', of);
    const { id } = scanner;
    expect(releases.data).toMatchObject([
      { credentialId: credential.id, taskId: params.id, attempt: 1, engagementId, scanner: { id } },
    ]);
    expect(await provider.admin.call('listCredentialReleases', of)).toMatchObject(notFound);
    expect(await staff.call('listCredentialReleases', of)).toMatchObject({ status: 401 });
    expect((await provider.admin.ok('listCredentials')).totalCount).toBe(0);
  });

  test('is refused to all scanners without the lease: of the pool, the client or another organization', async () => {
    const { provider, client, scanner, colleague, credential, params } = await newLeased();
    const stranger = await (await system.newOrganization()).scanner();
    const others: TestMachine[] = [colleague, await provider.scanner(), await client.scanner(), stranger];
    for (const other of others)
      expect(await other.client.call('releaseTaskSecrets', { params })).toMatchObject(notFound);
    for (const person of [client.admin, provider.admin])
      expect(await person.call('releaseTaskSecrets', { params })).toMatchObject({ status: 401 });
    const releases = await client.admin.ok('listCredentialReleases', { params: { id: credential.id } });
    expect(releases).toMatchObject({ data: [], totalCount: 0 });
    expect(await scanner.client.ok('releaseTaskSecrets', { params })).toMatchObject({ attempt: 1 });
  });

  test('goes to the scanner of the next attempt, and the first scanner is refused', async () => {
    const { client, scanner, colleague, credential, params } = await newLeased();
    await scanner.client.ok('releaseTaskSecrets', { params });
    const failed = { taskId: params.id, outcome: 'failed' as const, reports: [] };
    await scanner.client.ok('completeScannerTasks', { body: { results: [failed] } });
    expect(await scanner.client.call('releaseTaskSecrets', { params })).toMatchObject(notFound);
    expect(await takeTasks(colleague)).toMatchObject([{ id: params.id, attempt: 2 }]);
    expect(await scanner.client.call('releaseTaskSecrets', { params })).toMatchObject(notFound);
    expect(await colleague.client.ok('releaseTaskSecrets', { params })).toMatchObject({ attempt: 2 });
    const releases = await client.admin.ok('listCredentialReleases', { params: { id: credential.id } });
    expect(releases.data.map((release) => [release.attempt, release.scanner.id])).toEqual([
      [2, colleague.id],
      [1, scanner.id],
    ]);
  });

  test('is refused on an expired lease, even before the sweeper ends it', async () => {
    const { provider, scanner, params } = await newLeased();
    const before = await readMachinePresence(scannerMachines, provider.table, scanner.id);
    const lease = before?.leases[params.id];
    if (!before || !lease) throw new Error('no lease');
    const leases = { ...before.leases, [params.id]: { ...lease, until: Date.now() - 1000 } };
    await savePresence(scannerMachines, provider.table, { before, after: { ...before, leases } });
    expect(await scanner.client.call('releaseTaskSecrets', { params })).toMatchObject(notFound);
  });
});
