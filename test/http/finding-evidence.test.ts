import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { evidenceKey, evidenceRows } from '#shared/findings/evidence/evidence.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { analyst, organization, system, withAnalyst } from '../support/analyst.ts';
import { findingDraft } from '../support/findings.ts';
import { expectExact } from '../support/verify.ts';

withAnalyst();

const make = () => organization.table.create(findings, findingDraft(new Date().toISOString()));
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

/** A file of the caller, sent unless it is not to be. */
async function upload(content: string, { name, isSent = true }: { name?: string; isSent?: boolean } = {}) {
  const body = { sizeBytes: Buffer.byteLength(content), sha256: sha256(content), ...(name && { name }) };
  const { uploadId, parts } = await analyst.ok('createUpload', { body });
  const [part] = parts;
  if (part && isSent) await fetch(part.url, { method: 'PUT', headers: part.headers, body: content });
  return uploadId;
}
const add = (id: string, body: object) =>
  analyst.call('createFindingEvidence', { params: { id }, body: { kind: 'screenshot', ...body } as never });
const exists = async (findingId: string, id: string) =>
  (await system.connections.bucket.size(evidenceKey(organization.table, { findingId, id }))) !== undefined;

test('a screenshot is kept with its finding, listed, and downloaded under its name by viewers', async () => {
  const { id } = await make();
  const uploadId = await upload('a picture', { name: 'Anmeldung öffnen.png' });
  const answer = await add(id, { uploadId, note: 'the login' });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      id: uploadId,
      findingId: id,
      name: 'Anmeldung öffnen.png',
      kind: 'screenshot',
      note: 'the login',
      mediaType: 'image/png',
      sizeBytes: 9,
      sha256: sha256('a picture'),
      createdBy: { name: 'analyst' },
    },
  });
  expect(await add(id, { uploadId })).toMatchObject({ status: 200, body: { note: 'the login' } });
  const viewer = await organization.withRole('viewer');
  expect(await viewer.ok('listFindingEvidence', { params: { id } })).toEqual([answer.body]);
  expect(await viewer.ok('getFinding', { params: { id } })).toMatchObject({ evidenceFiles: 1, version: 2 });
  const shown = await viewer.ok('getFindingEvidence', { params: { id, evidenceId: uploadId } });
  const file = await fetch(shown.downloadUrl);
  expect(await file.text()).toBe('a picture');
  expect(file.headers.get('content-type')).toBe('image/png');
  expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Anmeldung%20%C3%B6ffnen.png");
  expect(await viewer.call('deleteFindingEvidence', { params: { id, evidenceId: uploadId } })).toMatchObject({
    status: 401,
  });
  const [change] = await viewer.ok('listFindingHistory', { params: { id } });
  expect(change?.changes).toEqual({ evidenceFiles: { from: null, to: 1 } });
  await expectExact(organization.table, [findings]);
});

test.each([
  ['page.html', 'text/plain; charset=utf-8'],
  ['image.svg', 'text/plain; charset=utf-8'],
  ['noending', undefined],
  ['a.constructor', undefined],
])('%s is served as nothing that runs', async (name, shownAs) => {
  const { id } = await make();
  const uploadId = await upload('<script>alert(1)</script>', { name });
  expect(await add(id, { uploadId, kind: 'http' })).toMatchObject({
    body: { mediaType: shownAs ?? 'application/octet-stream' },
  });
  const params = { id, evidenceId: uploadId };
  const answer = await analyst.call('getFindingEvidence', { params, query: { disposition: 'inline' } });
  if (shownAs === undefined) {
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    return;
  }
  const { headers } = await fetch((answer.body as { downloadUrl: string }).downloadUrl);
  expect(headers.get('content-type')).toBe(shownAs);
  expect(headers.get('content-disposition')).toMatch(/^inline;/);
});

describe('a file is refused, and the finding stays as it is', () => {
  test.each([
    ['that nobody uploaded', async () => ({ uploadId: newId() }), 'not_found'],
    [
      'that was not sent',
      async () => ({ uploadId: await upload('x', { name: 'x', isSent: false }) }),
      'upload_incomplete',
    ],
    ['without a name', async () => ({ uploadId: await upload('x') }), 'validation_failed'],
    ['with a path as its name', async () => ({ uploadId: newId(), name: '../x.png' }), 'validation_failed'],
    ['of an unknown kind', async () => ({ uploadId: newId(), kind: 'html' }), 'validation_failed'],
  ])('%s', async (_, body, code) => {
    const { id } = await make();
    expect(await add(id, await body())).toMatchObject({ status: 400, body: { code } });
    expect(await analyst.ok('getFinding', { params: { id } })).toMatchObject({ version: 1, evidenceFiles: 0 });
  });

  test('that is evidence of another finding', async () => {
    const [one, two] = [await make(), await make()];
    const uploadId = await upload('x', { name: 'x.txt' });
    await add(one.id, { uploadId });
    expect(await add(two.id, { uploadId })).toMatchObject({ status: 400, body: { code: 'conflict' } });
  });

  test('when the finding has as many as it may have', async () => {
    const finding = await make();
    const { id } = finding;
    await organization.table.update(findings, finding, { evidenceFiles: 20 });
    const uploadId = await upload('x', { name: 'x.txt' });
    expect(await add(id, { uploadId })).toMatchObject({
      body: { code: 'conflict', message: expect.stringContaining('at most 20 files') },
    });
  });
});

test('two requests for one upload at once give one file', async () => {
  const { id } = await make();
  const uploadId = await upload('x', { name: 'x.txt' });
  const answers = await Promise.all([1, 2, 3].map(() => add(id, { uploadId })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await analyst.ok('getFinding', { params: { id } })).toMatchObject({ evidenceFiles: 1 });
});

test('nothing is left of a file that is deleted', async () => {
  const { id } = await make();
  const uploadId = await upload('x', { name: 'x.txt' });
  await add(id, { uploadId });
  const params = { id, evidenceId: uploadId };
  expect(await exists(id, uploadId)).toBe(true);
  expect(await analyst.ok('deleteFindingEvidence', { params })).toMatchObject({ id: uploadId });
  expect(await exists(id, uploadId)).toBe(false);
  expect(await analyst.ok('getFinding', { params: { id } })).toMatchObject({ evidenceFiles: 0 });
  for (const name of ['getFindingEvidence', 'deleteFindingEvidence'] as const)
    expect(await analyst.call(name, { params })).toMatchObject({ body: { code: 'not_found' } });
});

describe('the files go with their finding', () => {
  const gone = async (findingId: string, id: string) => {
    await sweep(system.connections);
    expect(await exists(findingId, id)).toBe(false);
    expect(await organization.table.rows(evidenceRows).query(findingId)).toEqual([]);
  };

  test('when somebody deletes one that he wrote', async () => {
    const asset = { type: 'host', value: 'a.example.com' } as const;
    const { id } = await analyst.ok('createFinding', { body: { title: 'x', severity: 'low', asset } });
    const uploadId = await upload('x', { name: 'x.txt' });
    await add(id, { uploadId });
    await analyst.ok('deleteFinding', { params: { id } });
    await gone(id, uploadId);
  });

  test('when its asset is deleted', async () => {
    const asset = { type: 'host', value: 'b.example.com' } as const;
    const { id, asset: on } = await analyst.ok('createFinding', { body: { title: 'x', severity: 'low', asset } });
    const uploadId = await upload('x', { name: 'x.txt' });
    await add(id, { uploadId });
    const { taskId } = await organization.admin.ok('deleteAsset', { params: { id: on.id } });
    await organization.admin.ok('getTask', { params: { id: taskId }, query: { waitSeconds: 20 } });
    await gone(id, uploadId);
  });
});
