import { describe, expect, test } from 'vitest';
import { apexFiles } from '#shared/apex/files.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { uploadRows } from '#shared/platform/uploads/upload.ts';
import { end, makeTask, openEngagement, take, upload } from '../support/apex.ts';
import { startSystem, type TestMachine, type TestOrganization } from '../support/system.ts';
import { until } from '../support/wait.ts';

const system = startSystem();

async function setUp() {
  const organization = await system.newOrganization();
  const engagementId = await openEngagement(organization);
  const task = await makeTask(organization, engagementId);
  const appliance = await organization.machine('apex');
  await take(appliance);
  return { organization, engagementId, appliance, taskId: task.id };
}

const report = ({ client }: TestMachine, taskId: string, files: Record<string, string>) =>
  client.ok('reportApexFindings', {
    body: {
      taskId,
      findings: Object.entries(files).map(([externalId, uploadId]) => ({
        externalId,
        title: externalId,
        severity: 'high' as const,
        target: { type: 'host' as const, value: '10.0.0.1' },
        evidence: [{ kind: 'screenshot' as const, uploadId }],
      })),
    },
  });

const file = ({ admin }: TestOrganization, id: string, fileId: string) =>
  admin.call('getApexTaskFile', { params: { id, fileId } });
const artifact = (uploadId: string) => ({ artifacts: [{ name: 'screen', mediaType: 'image/png', uploadId }] });

describe('a file that is evidence of a finding', () => {
  test('is stored with its task, and the finding names the file', async () => {
    const { organization, engagementId, appliance, taskId } = await setUp();
    const uploadId = await upload(appliance, 'a picture');
    expect(await report(appliance, taskId, { a: uploadId })).toMatchObject({ results: [{ accepted: true }] });
    const { data } = await until(
      () => organization.admin.ok('listFindings', { query: { engagementId } }),
      ({ totalCount }) => totalCount > 0,
    );
    const found = await organization.admin.ok('getFinding', { params: { id: data[0]?.id ?? '' } });
    const [evidence] = found.evidence;
    const path = `/api/v1/validation-operations/apex/tasks/${taskId}/files/${uploadId}`;
    expect(evidence?.content).toBe(`screenshot: ${path}`);
    const shown = await organization.admin.send('GET', path);
    expect(shown).toMatchObject({ status: 200, body: { id: uploadId, name: 'screen.png', sizeBytes: 9 } });
    expect(await (await fetch(Object(shown.body).url)).text()).toBe('a picture');

    // The upload itself is removed now, and the same findings may be sent again.
    await organization.table.rows(uploadRows).remove({ id: uploadId });
    expect(await report(appliance, taskId, { a: uploadId })).toMatchObject({ results: [{ accepted: true }] });
  });

  test('refuses only its finding when the upload is missing, incomplete, used or of another machine', async () => {
    const { organization, engagementId, appliance, taskId } = await setUp();
    const colleague = await organization.machine('apex');
    const other = await setUp();
    const files = {
      missing: newId(),
      unsent: await upload(appliance, 'unsent', false),
      foreign: await upload(colleague, 'foreign'),
      stranger: await upload(other.appliance, 'stranger'),
      expired: await upload(appliance, 'expired'),
      good: await upload(appliance, 'good'),
    };
    const uploads = organization.table.rows(uploadRows);
    const old = await uploads.find({ id: files.expired }, true);
    if (old) await uploads.put({ ...old, expiresAt: inSeconds(1) });
    await expect.poll(() => uploads.find({ id: files.expired }, true)).toBeUndefined();
    const { results } = await report(appliance, taskId, files);
    expect(results.map(({ externalId, code = 'accepted' }) => [externalId, code])).toEqual([
      ['missing', 'not_found'],
      ['unsent', 'upload_incomplete'],
      ['foreign', 'not_found'],
      ['stranger', 'not_found'],
      ['expired', 'not_found'],
      ['good', 'accepted'],
    ]);
    const next = await makeTask(organization, engagementId);
    await take(appliance);
    expect(await report(appliance, next.id, { again: files.good })).toMatchObject({ results: [{ accepted: false }] });
  });
});

describe('an artifact of a result', () => {
  test('stays readable for its organization alone until the task is deleted', async () => {
    const { organization, appliance, taskId } = await setUp();
    const uploadId = await upload(appliance, 'an archive');
    const send = () => end(appliance, taskId, 'completed', artifact(uploadId));
    const [ended, ...same] = await Promise.all([send(), send(), send()]);
    expect(ended).toMatchObject({ accepted: true });
    expect(same).toEqual([ended, ended]);
    expect(await send()).toEqual(ended);
    expect(await organization.admin.ok('getApexTask', { params: { id: taskId } })).toMatchObject({
      result: { artifacts: [{ uploadId }] },
    });
    const { status, body } = await file(organization, taskId, uploadId);
    expect({ status, text: await (await fetch(Object(body).url)).text() }).toEqual({ status: 200, text: 'an archive' });
    const stranger = await system.newOrganization();
    expect(await file(stranger, taskId, uploadId)).toMatchObject({ status: 400, body: { code: 'not_found' } });
    await organization.admin.ok('deleteApexTask', { params: { id: taskId } });
    expect((await fetch(Object(body).url)).status).toBe(404);
    expect(await organization.table.rows(apexFiles).query(taskId)).toEqual([]);
  });

  test('refuses the result when its upload is missing, and the result may be sent again', async () => {
    const { organization, appliance, taskId } = await setUp();
    const unsent = await upload(appliance, 'unsent', false);
    expect(await end(appliance, taskId, 'completed', artifact(unsent))).toMatchObject({
      accepted: false,
      code: 'upload_incomplete',
    });
    expect(await organization.admin.ok('getApexTask', { params: { id: taskId } })).toMatchObject({ status: 'running' });
    const sent = await upload(appliance, 'sent');
    expect(await end(appliance, taskId, 'completed', artifact(sent))).toMatchObject({ accepted: true });
  });
});
