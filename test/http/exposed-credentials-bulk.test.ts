import { expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { exposedCredentials } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { KEY, listed, OTHER, send, statuses, system, TILL } from '../support/found-secrets.ts';
import { gitleaks, trufflehog } from '../support/secret-reports.ts';
import type { TestOrganization } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { follow } from '../support/vulnerabilities.ts';
import { finished } from '../support/wait.ts';

const THIRD = 'tok-EXAMPLE-aabbccddeeff';

async function withSecrets(...secrets: string[]): Promise<TestOrganization> {
  const organization = await system.newOrganization();
  const content = gitleaks(secrets.map((secret, n) => ({ secret, file: `${n}.env` })));
  await send(organization, { content });
  return organization;
}

/** The finished task of a change of many, or its preview. */
async function update({ admin }: TestOrganization, body: object) {
  const { taskId, preview } = await admin.ok('updateExposedCredentials', { body: body as never });
  return { preview, task: taskId === undefined ? undefined : await finished(admin, taskId) };
}

async function undo({ admin }: TestOrganization, { id: taskId = '' }: { id?: string } = {}) {
  const undoing = await admin.ok('undoExposedCredentialsUpdate', { params: { taskId } });
  return finished(admin, undoing.taskId);
}

const decide = ({ admin }: TestOrganization, id: string, body: object) =>
  admin.ok('updateExposedCredential', { params: { id }, body: body as never });

const byMask = async (organization: TestOrganization) =>
  new Map((await listed(organization)).map((credential) => [credential.masked, credential]));

async function idsOf(organization: TestOrganization, ...secrets: string[]): Promise<string[]> {
  const all = await byMask(organization);
  return secrets.map((secret) => all.get(`${secret.slice(0, 2)}****${secret.slice(-2)}`)?.id ?? '');
}

const settle = async ({ table }: TestOrganization) => {
  await follow({ connections: system.connections, table });
  await expectExact(table, [exposedCredentials, findings]);
};

test('a dry run counts what a decision on many credentials would do, and does nothing', async () => {
  const organization = await withSecrets(KEY, OTHER, THIRD);
  const [key = ''] = await idsOf(organization, KEY);
  await decide(organization, key, { status: 'rotated', reason: 'in the vault' });
  const before = await listed(organization);
  const body = { filter: { source: 'scanner' }, changes: { status: 'rotated' }, reason: 'in the vault', dryRun: true };
  const { preview } = await update(organization, body);
  expect(preview).toMatchObject({ matched: 3, changed: 2, unchanged: 1, refusedCount: 0 });
  expect(preview?.sample.map(({ masked, status }) => [masked, status]).sort()).toEqual([
    ['pw****uu', 'active'],
    ['to****ff', 'active'],
  ]);
  expect(await listed(organization)).toEqual(before);
});

test('many credentials are called rotated by their ids, each as alone, and the dashboard counts them', async () => {
  const organization = await withSecrets(KEY, OTHER, THIRD);
  const { admin } = organization;
  const [key = '', other = ''] = await idsOf(organization, KEY, OTHER);
  await decide(organization, other, { status: 'rotated', reason: 'in the vault' });
  const unknown = newId();
  const body = { ids: [key, other, unknown, key], changes: { status: 'rotated' }, reason: 'in the vault' };
  const { task } = await update(organization, body);
  expect(task).toMatchObject({ status: 'succeeded', operation: 'update_exposed_credentials' });
  expect(task?.result).toEqual({
    matched: 3,
    changed: 1,
    unchanged: 1,
    refusedCount: 1,
    refused: [{ id: unknown, code: 'not_found', message: `There is no exposed credential ${unknown}.` }],
    results: [
      { id: key, outcome: 'changed' },
      { id: other, outcome: 'unchanged' },
      { id: unknown, outcome: 'refused' },
    ],
    findings: { matched: 0, changed: 0, unchanged: 0, refused: [], refusedCount: 0 },
  });
  const changed = await admin.ok('getExposedCredential', { params: { id: key } });
  const { decidedBy } = await admin.ok('getExposedCredential', { params: { id: other } });
  expect(changed).toMatchObject({ status: 'rotated', statusReason: 'in the vault', decidedBy });
  expect(await statuses(organization)).toEqual(['open', 'open', 'open']);
  const { byStatus, rotated30d } = await admin.ok('getExposedCredentialsSummary');
  expect({ byStatus, rotated30d }).toMatchObject({ byStatus: { active: 1, rotated: 2 }, rotated30d: 2 });
  await settle(organization);
});

test('findings follow many false positives, and all have their own back when it is undone', async () => {
  const organization = await withSecrets(KEY, OTHER, THIRD);
  const body = {
    filter: { status: ['active'] },
    changes: { status: 'false_positive' },
    reason: 'keys of the documentation',
  };
  const { task } = await update(organization, body);
  expect(task?.result).toMatchObject({ matched: 3, changed: 3, findings: { matched: 3, changed: 3 } });
  expect(await statuses(organization)).toEqual(['false_positive', 'false_positive', 'false_positive']);
  await send(organization, { content: gitleaks([{ secret: KEY, file: 'later.env' }]), repository: TILL });
  await expect
    .poll(() => statuses(organization), { timeout: 60_000 })
    .toEqual(['false_positive', 'false_positive', 'false_positive', 'false_positive']);
  const undone = await undo(organization, task);
  expect(undone.result).toEqual({
    matched: 3,
    restored: 3,
    changedSince: [],
    changedSinceCount: 0,
    findings: { changed: 4 },
  });
  expect(await statuses(organization)).toEqual(['open', 'open', 'open', 'open']);
  await settle(organization);
  for (const { status, statusReason, decidedBy } of await listed(organization))
    expect({ status, statusReason, decidedBy }).toEqual({ status: 'active', statusReason: null, decidedBy: null });
  expect((await undo(organization, task)).id).toBe(undone.id);
});

test('an undoing restores the decision before, keeps what somebody decided since, and lets a check of meanwhile count', async () => {
  const organization = await withSecrets(KEY, OTHER, THIRD);
  const [key = '', other = '', third = ''] = await idsOf(organization, KEY, OTHER, THIRD);
  await decide(organization, key, { status: 'false_positive', reason: 'an example' });
  const read = (id: string) => organization.admin.ok('getExposedCredential', { params: { id } });
  const before = await read(key);
  const ids = [key, other, third];
  const { task } = await update(organization, { ids, changes: { status: 'revoked' }, reason: 'one case' });
  expect(task?.result).toMatchObject({ matched: 3, changed: 3, findings: { matched: 1, changed: 1 } });
  expect(await statuses(organization)).toEqual(['open', 'open', 'open']);
  await decide(organization, other, { status: 'rotated', reason: 'in the vault' });
  await send(organization, { content: trufflehog([{ secret: THIRD, file: 'c', verified: true }]), repository: TILL });
  expect(await read(third)).toMatchObject({ status: 'active', verified: true });
  const undone = await undo(organization, task);
  expect(undone.result).toEqual({
    matched: 3,
    restored: 2,
    changedSinceCount: 1,
    findings: { changed: 1 },
    changedSince: [{ id: other, code: 'conflict', message: 'These fields have changed again: decision.' }],
  });
  const { status, statusReason, endedAt } = before;
  expect(await read(key)).toMatchObject({ status, statusReason, endedAt });
  expect(await read(other)).toMatchObject({ status: 'rotated', statusReason: 'in the vault' });
  expect(await read(third)).toMatchObject({ status: 'active', verified: true, decidedBy: null });
  expect(await statuses(organization)).toEqual(['false_positive', 'open', 'open', 'open']);
  await settle(organization);
});

test('a change of many credentials that none could take is refused with the field and the reason', async () => {
  const organization = await withSecrets(KEY);
  const ids = await idsOf(organization, KEY);
  const changes = { status: 'revoked' };
  const pathOf = async (body: object) => {
    const answer = await organization.admin.call('updateExposedCredentials', { body: body as never });
    return [answer.status, Object(answer.body).details?.[0]?.path];
  };
  expect(await pathOf({ ids, changes })).toEqual([400, 'reason']);
  expect(await pathOf({ ids, changes: {}, reason: 'x' })).toEqual([400, 'changes']);
  expect(await pathOf({ ids, filter: { kind: ['other'] }, changes, reason: 'x' })).toEqual([400, 'ids']);
  expect(await pathOf({ filter: {}, changes, reason: 'x' })).toEqual([400, 'filter']);
  expect(await pathOf({ ids, changes: { ...changes, masked: 'x' }, reason: 'x' })).toEqual([400, 'changes.masked']);
  expect(await pathOf({ ids: Array.from({ length: 1001 }, newId), changes, reason: 'x' })).toEqual([400, 'ids']);
  const reader = await organization.apiKey(['findings:read']);
  const body = { ids, changes, reason: 'x' } as never;
  expect(await reader.call('updateExposedCredentials', { body })).toMatchObject({ status: 401 });
  const { task } = await update(organization, { ids, changes, reason: 'in the vault' });
  const { admin: stranger } = await system.newOrganization();
  const params = { taskId: task?.id ?? '' };
  expect(await stranger.call('undoExposedCredentialsUpdate', { params })).toMatchObject({
    status: 400,
    body: { code: 'not_found' },
  });
});
