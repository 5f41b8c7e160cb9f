import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { newTask, taskRows } from '#shared/platform/jobs/task.ts';
import type { OrganizationLimits } from '#shared/platform/quotas/quotas.ts';
import { actor } from '../support/actor.ts';
import type { Client } from '../support/client.ts';
import { create, engage, scan } from '../support/engagements.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();
let staff: Client;
beforeAll(async () => {
  staff = await (await system.newOrganization()).withRole('platform_owner');
});

/** An organization whose limits staff have set. */
async function limited(limits: Partial<OrganizationLimits>): Promise<TestOrganization> {
  const organization = await system.newOrganization();
  await setLimits(organization, limits);
  return organization;
}

const setLimits = ({ organizationId: id }: TestOrganization, body: Partial<OrganizationLimits>) =>
  staff.ok('updateOrganizationLimits', { params: { id }, body });

const shown = async ({ admin }: TestOrganization, name: keyof OrganizationLimits) => {
  const { data } = await admin.ok('listConfig', { query: { paginateSize: 500 } });
  return data.find(({ key }) => key === `limits.${name}`);
};
const used = async (organization: TestOrganization, name: keyof OrganizationLimits) =>
  (await shown(organization, name))?.used;

const refusal = (message: RegExp) => ({
  status: 400,
  body: { code: 'limit_exceeded', message: expect.stringMatching(message) },
});

const upload = (sizeBytes: number) => ({ body: { sizeBytes, sha256: '0'.repeat(64) } });
const report = (file: string) => ({
  format: 'sarif',
  target: { type: 'repository' as const, value: 'quotas/app' },
  content: JSON.stringify({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'gate' } }, results: [{ ruleId: file, message: { text: file } }] }],
  }),
});

describe('staff set the limits of an organization', () => {
  test('which it sees with their use, and which hold at once', async () => {
    const organization = await limited({ linkTokens: 1 });
    expect(await shown(organization, 'linkTokens')).toEqual({
      key: 'limits.linkTokens',
      value: 1,
      type: 'integer',
      source: 'organization',
      used: 0,
      description: expect.any(String),
    });
    expect(await shown(organization, 'openUploads')).toMatchObject({ source: 'default', used: 0 });
    await organization.admin.ok('createLinkToken', { body: { kind: 'scanner' } });
    expect(await used(organization, 'linkTokens')).toBe(1);
    expect(await organization.admin.call('createLinkToken', { body: { kind: 'scanner' } })).toMatchObject(
      refusal(
        /^Too many link tokens .*: 1 of 1 are used, and 1 more is needed\. Try again when .*, at the latest at 20/,
      ),
    );
    await setLimits(organization, { linkTokens: null } as never);
    await organization.admin.ok('createLinkToken', { body: { kind: 'scanner' } });
  });

  test('and read them, and everybody in the organization can see in the audit log that they did', async () => {
    const organization = await limited({ openUploads: 7 });
    const { organizationId: id } = organization;
    expect(await staff.ok('getOrganizationLimits', { params: { id } })).toMatchObject({
      openUploads: 7,
      serviceAccounts: 500,
    });
    await expect
      .poll(async () => (await organization.admin.ok('listAudit', { query: {} })).data, { timeout: 15_000 })
      .toContainEqual(
        expect.objectContaining({
          record: expect.objectContaining({ entity: 'organization-limits' }),
          actor: expect.objectContaining({ name: 'platform_owner' }),
          fields: { openUploads: { from: 1000, to: 7 } },
        }),
      );
  });

  test('within what the service can hold', async () => {
    const { organizationId: id } = await system.newOrganization();
    for (const body of [{ openUploads: -1 }, { openUploads: 2001 }, { requestsPerSecond: 9 }, { nonsense: 1 }])
      expect(await staff.call('updateOrganizationLimits', { params: { id }, body })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', details: [{ path: Object.keys(body)[0] }] },
      });
  });
});

describe('a place is free again', () => {
  test('when a link token is revoked or used up', async () => {
    const organization = await limited({ linkTokens: 1 });
    const { admin } = organization;
    const make = () => admin.ok('createLinkToken', { body: { kind: 'scanner' } });
    const { id } = await make();
    await admin.ok('revokeLinkToken', { params: { id } });
    await admin.ok('revokeLinkToken', { params: { id } });
    await organization.scanner();
    await make();
    expect(await used(organization, 'linkTokens')).toBe(1);
  });

  test('when a service account is revoked', async () => {
    const organization = await limited({ serviceAccounts: 2 });
    const { admin } = organization;
    const make = () => admin.call('createServiceAccount', { body: { name: 'export', role: 'viewer' } });
    const first = await make();
    if (first.status !== 200) throw new Error('an account');
    expect(await make()).toMatchObject(refusal(/^Too many service accounts that work: 2 of 2 are used/));
    await admin.ok('revokeServiceAccount', { params: { id: first.body.id } });
    expect(await make()).toMatchObject({ status: 200 });
  });

  test('when an upload is used, and an import has ended, however it ended', async () => {
    const organization = await limited({ openUploads: 1, openUploadBytes: 2000, runningImports: 1 });
    const { admin } = organization;
    expect(await admin.call('createUpload', upload(2001))).toMatchObject(
      refusal(/^Too many bytes of open uploads: 0 of 2000 are used, and 2001 more are needed/),
    );
    const { content, ...body } = report('src/a.ts');
    const sha256 = createHash('sha256').update(content).digest('hex');
    const { uploadId, parts } = await admin.ok('createUpload', { body: { sizeBytes: content.length, sha256 } });
    expect(await admin.call('createUpload', upload(1))).toMatchObject(refusal(/^Too many open uploads: 1 of 1/));
    const [part] = parts;
    if (!part) throw new Error('a part');
    expect((await fetch(part.url, { method: 'PUT', headers: part.headers, body: content })).status).toBe(200);
    const { taskId } = await admin.ok('importFindings', { body: { ...body, uploadId } });
    expect(await used(organization, 'openUploads')).toBe(0);
    expect((await finished(admin, taskId)).status).toBe('succeeded');
    const broken = { ...report('src/b.ts'), content: `${report('src/b.ts').content.slice(0, -9)}` };
    const failing = await admin.ok('importFindings', { body: broken });
    expect((await finished(admin, failing.taskId)).status).toBe('failed');
    expect(await used(organization, 'runningImports')).toBe(0);
    await setLimits(organization, { runningImports: 0 });
    expect(await admin.call('importFindings', { body: report('src/c.ts') })).toMatchObject(
      refusal(
        /^Too many imports that wait or run: 0 of 0 are used.* Try again when one has ended\. Administrators get .* GET \/api\/v1\/billing\.$/,
      ),
    );
  });

  test('when a task completes or is cancelled', async () => {
    const organization = await limited({ waitingTasks: 3 });
    const { admin } = organization;
    const hosts = (n: number) =>
      Array.from({ length: n }, (_, i) => ({ type: 'host' as const, value: `10.7.0.${i + 1}` }));
    const wanted = { ...scan, targets: hosts(4) };
    expect(await admin.call('createEngagement', { body: wanted })).toMatchObject(
      refusal(/^Too many tasks of scanners and appliances that wait or run: 0 of 3 are used, and 4 more are needed/),
    );
    const { id } = await engage(organization, ['10.7.0.1', '10.7.0.2', '10.7.0.3']);
    expect(await used(organization, 'waitingTasks')).toBe(3);
    expect(await admin.call('createEngagement', { body: scan })).toMatchObject(
      refusal(/3 of 3 are used, and 1 more is needed/),
    );
    const scanner = await organization.scanner();
    const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } });
    expect(await used(organization, 'waitingTasks')).toBe(3);
    const results = [{ taskId: tasks[0]?.id ?? '', outcome: 'completed' as const }];
    await scanner.client.ok('completeScannerTasks', { body: { results } });
    expect(await used(organization, 'waitingTasks')).toBe(2);
    await admin.ok('cancelEngagement', { params: { id }, body: { reason: 'enough' } });
    await expect.poll(() => used(organization, 'waitingTasks'), { timeout: 15_000 }).toBe(0);
    expect((await create(admin, { targets: hosts(3) })).task.status).toBe('succeeded');
  });
});

describe('in the memory of a function', () => {
  test('requests of one organization are counted by the second, and those of others are answered', async () => {
    const [busy, quiet] = await Promise.all([limited({ requestsPerSecond: 10 }), system.newOrganization()]);
    const ask = ({ admin }: TestOrganization) => admin.call('getOrganizationSettings');
    await Promise.all([ask(busy), ask(quiet)]);
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(busy)));
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject(
      refusal(
        /^Too many requests in this second: 10 of 10 are used.* when the next second begins, at the latest at 20/,
      ),
    );
    expect((await ask(quiet)).status).toBe(200);
    await expect.poll(async () => (await ask(busy)).status, { timeout: 5_000 }).toBe(200);
  });

  test('so are requests that wait, which hold their place until they are answered', async () => {
    const organization = await limited({ heldRequests: 1 });
    const { admin } = organization;
    const input = { work: 'verify' };
    const task = newTask(actor(), { operation: 'maintenance_verify', job: 'maintenance', unit: 'records', input });
    await organization.table.rows(taskRows).put(task);
    const wait = () => admin.call('getTask', { params: { id: task.id }, query: { waitSeconds: 2 } });
    const answers = await Promise.all([wait(), wait(), wait()]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status === 400)).toMatchObject(
      refusal(/^Too many requests that wait with waitSeconds: 1 of 1 are used.*, at the latest at 20/),
    );
    expect((await wait()).status).toBe(200);
    expect(await used(organization, 'heldRequests')).toBe(0);
  });

  test('and one of them that is answered gives back its own place alone', async () => {
    const organization = await limited({ heldRequests: 2 });
    const { admin } = organization;
    const input = { work: 'verify' };
    const task = newTask(actor(), { operation: 'maintenance_verify', job: 'maintenance', unit: 'records', input });
    await organization.table.rows(taskRows).put(task);
    const wait = (waitSeconds: number) => admin.call('getTask', { params: { id: task.id }, query: { waitSeconds } });
    const long = wait(15);
    await expect.poll(() => used(organization, 'heldRequests')).toBe(1);
    expect((await wait(1)).status).toBe(200);
    expect(await used(organization, 'heldRequests')).toBe(1);
    await long;
    expect(await used(organization, 'heldRequests')).toBe(0);
  });
});
