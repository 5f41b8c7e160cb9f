import { describe, expect, test } from 'vitest';
import { sealedSecrets } from '#shared/credentials/sealed.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { secretReleases } from '#shared/scanning/scan-credentials/scan-credential.ts';
import { create } from '../support/engagements.ts';
import { sshCredential } from '../support/scan-credentials.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();
const password = 'never-to-be-seen-again';
const ssh = sshCredential('10.1.2.3', password);

/** The id of an engagement with these credentials, whose tasks are made. */
const engage = async ({ admin }: TestOrganization, credentialIds: string[], more: object = {}) =>
  (await create(admin, { credentialIds, ...more })).id;

describe('the secrets of scans', () => {
  test('are stored, changed and removed, and never part of an answer', async () => {
    const { admin, table } = await system.newOrganization();
    const created = await admin.ok('createCredential', { body: ssh });
    expect(created).toMatchObject({ name: 'Backup user', kind: 'ssh', username: 'backup', secretFields: ['password'] });
    const params = { id: created.id };
    const read = await admin.ok('getCredential', { params });
    expect(read).toEqual(created);
    const privateKey = 'a private key';
    const changed = await admin.ok('updateCredential', { params, body: { username: 'root', secret: { privateKey } } });
    expect(changed).toMatchObject({ username: 'root', secretFields: ['privateKey'] });
    const list = await admin.ok('listCredentials');
    expect(JSON.stringify([created, read, changed, list])).not.toMatch(/never-to-be-seen-again|a private key/);
    const row = await table.rows(sealedSecrets).find({ credentialId: created.id });
    expect(Buffer.from(row?.sealed ?? []).toString('latin1')).not.toContain(privateKey);
    expect(await admin.ok('deleteCredential', { params })).toMatchObject({ id: created.id });
    expect(await admin.call('getCredential', { params })).toMatchObject({ status: 400, body: { code: 'not_found' } });
    expect(await table.rows(sealedSecrets).find({ credentialId: created.id })).toBeUndefined();
  });

  test('are refused where a line break was pasted with them, but for keys of several lines', async () => {
    const { admin } = await system.newOrganization();
    const refused = await admin.call('createCredential', { body: { ...ssh, secret: { password: 'one\ntwo' } } });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'secret.password' }] } });
    expect(JSON.stringify(refused.body)).not.toContain('two');
    await admin.ok('createCredential', { body: { ...ssh, secret: { privateKey: 'one\ntwo\n' } } });
  });

  test('are replaced whole: a partial secret is refused, and the stored one stays', async () => {
    const { admin } = await system.newOrganization();
    const { id } = await admin.ok('createCredential', { body: ssh });
    const change = (secret: object | null) =>
      admin.call('updateCredential', { params: { id }, body: { secret: secret as { password: string } } });
    for (const secret of [{ password: null }, { passphrase: 'x' }, {}, null])
      expect(await change(secret)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await admin.ok('updateCredential', { params: { id }, body: { username: 'root' } })).toMatchObject({
      secretFields: ['password'],
    });
  });

  test.each([
    ['no user', { ...ssh, username: null }, 'username'],
    ['no secret that the kind needs', { ...ssh, secret: { passphrase: 'x' } }, 'secret'],
    ['a secret of another kind', { ...ssh, secret: { token: 'x' } }, 'secret.token'],
  ])('are refused when no scanner could use them: %s', async (_, body, path) => {
    const { admin } = await system.newOrganization();
    const answer = await admin.call('createCredential', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
  });

  test('are released to the scanner that holds the task, once per attempt, and each release is recorded', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const [scanner, other] = [await organization.scanner(), await organization.scanner()];
    const { id } = await admin.ok('createCredential', { body: ssh });
    const engagementId = await engage(organization, [id]);
    const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } });
    const taskId = tasks[0]?.id ?? '';
    expect(tasks).toMatchObject([{ secretsUrl: `/api/v1/scanner_communication/tasks/${taskId}/secrets` }]);
    const params = { id: taskId };

    const foreign = await other.client.call('releaseTaskSecrets', { params });
    expect(foreign).toMatchObject({ status: 400, body: { code: 'not_found' } });
    expect(await scanner.client.ok('releaseTaskSecrets', { params })).toEqual({
      taskId,
      attempt: 1,
      credentials: [{ id, name: 'Backup user', kind: 'ssh', username: 'backup', domain: null, secret: { password } }],
    });
    const again = await scanner.client.call('releaseTaskSecrets', { params });
    expect(again).toMatchObject({ status: 400, body: { code: 'conflict' } });
    const releases = await admin.ok('listCredentialReleases', { params: { id } });
    expect(releases.data).toMatchObject([
      { credentialId: id, taskId, attempt: 1, engagementId, scanner: { id: scanner.id } },
    ]);

    const failed = { taskId, outcome: 'failed' as const, reports: [] };
    await scanner.client.ok('completeScannerTasks', { body: { results: [failed] } });
    const late = await scanner.client.call('releaseTaskSecrets', { params });
    expect(late).toMatchObject({ status: 400, body: { code: 'not_found' } });
    await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } });
    expect(await scanner.client.ok('releaseTaskSecrets', { params })).toMatchObject({ attempt: 2 });
    const both = await admin.ok('listCredentialReleases', { params: { id } });
    expect(both).toMatchObject({ totalCount: 2, data: [{ attempt: 2 }, { attempt: 1 }] });
  });

  test('show each release once across pages, even after the credential was removed', async () => {
    const { admin, table } = await system.newOrganization();
    const [id = '', other = ''] = await Promise.all(
      ['one', 'other'].map(async (name) => (await admin.ok('createCredential', { body: { ...ssh, name } })).id),
    );
    const given = { at: now(), engagementId: newId(), scanner: { id: newId(), name: 's' }, remoteAddress: '192.0.2.1' };
    const taskIds = Array.from({ length: 8 }, () => newId());
    for (const taskId of taskIds)
      for (const credentialId of [id, other])
        await table.create(secretReleases, { ...given, credentialId, taskId, attempt: 1 });
    await admin.ok('deleteCredential', { params: { id } });
    const page = (paginateFrom: number) =>
      admin.ok('listCredentialReleases', { params: { id }, query: { paginateFrom, paginateSize: 3 } });
    const pages = [await page(0), await page(3), await page(6), await page(9)];
    expect(pages.map(({ data }) => data.length)).toEqual([3, 3, 2, 0]);
    expect(pages[3]).toMatchObject({ totalCount: 8, totalPages: 3, page: 4 });
    const seen = pages.flatMap(({ data }) => data);
    expect(seen.map(({ taskId }) => taskId)).toEqual(taskIds.toReversed());
    expect(seen.every(({ credentialId }) => credentialId === id)).toBe(true);
  });

  test('are not offered for task types that cannot use them', async () => {
    const organization = await system.newOrganization();
    const scanner = await organization.scanner({ taskTypes: ['tls'] });
    const { id } = await organization.admin.ok('createCredential', { body: ssh });
    await engage(organization, [id], { taskTypes: ['tls'] });
    const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } });
    expect(tasks[0]).not.toHaveProperty('secretsUrl');
    const answer = await scanner.client.ok('releaseTaskSecrets', { params: { id: tasks[0]?.id ?? '' } });
    expect(answer).toMatchObject({ credentials: [] });
  });

  test('must exist to be named by an engagement, and cannot be removed until the engagement has ended', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const unknown = '01900000-0000-7000-8000-000000000001';
    const refused = await admin.call('createEngagement', {
      body: {
        title: 'x',
        kind: 'vulnerability_scan',
        targets: [{ type: 'host', value: '10.1.2.3' }],
        taskTypes: ['network'],
        credentialIds: [unknown],
      },
    });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path: 'credentialIds.0' }] },
    });
    expect((await admin.ok('listEngagements')).totalCount).toBe(0);
    const { id } = await admin.ok('createCredential', { body: ssh });
    const engagementId = await engage(organization, [id]);
    const used = await admin.call('deleteCredential', { params: { id } });
    expect(used).toMatchObject({ status: 400, body: { code: 'conflict' } });
    expect(JSON.stringify(used.body)).toContain(engagementId);
    await admin.ok('cancelEngagement', { params: { id: engagementId }, body: {} });
    expect(await admin.ok('deleteCredential', { params: { id } })).toMatchObject({ id });
  });
});
