import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fixture } from '../support/recorded.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const semgrep = fixture('sarif/semgrep.sarif').toString();
const from = { repository: 'https://git.example.com/shop/api', ref: 'main', scanType: 'sast' };
const soon = { waitSeconds: 20 };

describe('POST /api/v1/findings/import', () => {
  test('a CI job gets the result of its report in one call', async () => {
    const { apiKey } = await system.newOrganization();
    const ci = await apiKey(['findings:write', 'findings:read']);
    const answer = await ci.ok('importFindings', { query: soon, body: { format: 'auto', content: semgrep, ...from } });
    expect(answer).toMatchObject({
      status: 'succeeded',
      task: {
        id: answer.taskId,
        operation: 'ingest_report',
        progress: { done: 2, total: 2, unit: 'findings' },
        result: { created: 2, updated: 0, unchanged: 0, closed: 0, reopened: 0, rejected: [], rejectedCount: 0 },
      },
    });
    const packed = { content: gzipSync(semgrep).toString('base64'), encoding: 'gzip+base64' as const };
    const again = await ci.ok('importFindings', { query: soon, body: { format: 'sarif', ...packed, ...from } });
    expect(again.task?.result).toMatchObject({ created: 0, unchanged: 2 });
  });

  test('a person reads the counts from critical to info, also when the task is read again', async () => {
    const { admin } = await system.newOrganization();
    const body = { format: 'sarif' as const, content: semgrep, ...from };
    const { task, taskId } = await admin.ok('importFindings', { query: soon, body });
    for (const { result } of [task, await admin.ok('getTask', { params: { id: taskId } })].flatMap(
      (one) => one ?? [],
    )) {
      expect(JSON.stringify(result)).toContain('"created":{"critical":0,"high":2,"medium":0,"low":0,"info":0}');
    }
  });

  test.each([
    ['nmap', 'nmap/localhost.xml', { target: '127.0.0.1' }],
    ['nuclei', 'nuclei/lines.jsonl', { target: { type: 'url', value: 'http://127.0.0.1:8080' } }],
    ['sarif', 'sarif/codeql.sarif', {}],
    ['sarif', 'sarif/gosec.sarif', { repository: 'shop/worker' }],
  ] as const)('a real %s report (%s) becomes findings', async (format, file, target) => {
    const { admin } = await system.newOrganization();
    const body = { format, content: fixture(file).toString(), ...target };
    const { task } = await admin.ok('importFindings', { query: soon, body });
    expect(task?.status).toBe('succeeded');
    expect(Number(task?.result?.created)).toBeGreaterThan(0);
  });

  test('a repository and a branch are the same however they are spelled, and no token of an address is kept', async () => {
    const { admin } = await system.newOrganization();
    const sarif = { format: 'sarif', content: semgrep, scanType: 'sast' } as const;
    const spelled = { repository: 'https://ci:ghs_Secret@GIT.example.com/shop/api.git', ref: 'refs/heads/main' };
    await admin.ok('importFindings', { query: soon, body: { ...sarif, ...spelled } });
    const others = [
      'git@git.example.com:shop/api.git',
      'ssh://git@git.example.com/shop/api',
      'git.example.com/shop/api',
    ];
    for (const repository of others) {
      const { task } = await admin.ok('importFindings', { query: soon, body: { ...sarif, repository, ref: 'main' } });
      expect(task?.result, repository).toMatchObject({ created: 0, unchanged: 2, closed: 0 });
    }
    const { data } = await admin.ok('listFindings', { query: { ref: 'refs/heads/main' } });
    expect(data.map(({ asset, ref }) => [asset.name, ref])).toEqual([
      ['https://git.example.com/shop/api', 'main'],
      ['https://git.example.com/shop/api', 'main'],
    ]);
  });

  test('a CI job sends the file as it is, gzipped or not, and says the rest in the address', async () => {
    const { apiKey } = await system.newOrganization();
    const ci = await apiKey(['findings:write', 'findings:read']);
    const path = '/api/v1/findings/import';
    const query = { ...soon, ...from, closeMissing: 'false' };
    const headers = { 'content-type': 'application/sarif+json', 'idempotency-key': 'job-1' };
    const { status, body } = await ci.send('POST', path, { query, body: semgrep, headers });
    expect({ status, body }).toMatchObject({ status: 200, body: { task: { result: { created: 2 } } } });
    const packed = { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' };
    const again = await ci.send('POST', path, { query, body: gzipSync(semgrep), headers: packed });
    expect(again.body).toMatchObject({ task: { result: { created: 0, unchanged: 2 } } });
    const elsewhere = await ci.send('POST', path, { query: { ...query, ref: 'other' }, body: semgrep, headers });
    expect(elsewhere).toMatchObject({ status: 400, body: { code: 'idempotency_mismatch' } });
    const misspelt = await ci.send('POST', path, { query: { repo: 'x' }, body: semgrep, headers: packed });
    expect(misspelt).toMatchObject({
      status: 400,
      body: {
        details: [{ path: 'repo', message: expect.stringMatching(/^unknown parameter; it takes .*repository/) }],
      },
    });
  });

  test('the answer to an import without a target says that it closes nothing and where its findings are', async () => {
    const { admin } = await system.newOrganization();
    const body = { format: 'sarif', content: semgrep };
    const forgotten = await admin.ok('importFindings', { query: soon, body });
    expect(forgotten.warnings).toEqual([expect.stringMatching(/nothing is closed.*Send target or repository/)]);
    const { data } = await admin.ok('listFindings', {});
    expect(data[0]?.asset).toMatchObject({ type: 'application', name: 'unnamed' });
    expect((await admin.ok('importFindings', { body: { ...body, ...from } })).warnings).toBeUndefined();
  });

  test('an incomplete report fails with a reason', async () => {
    const { admin } = await system.newOrganization();
    const body = { format: 'sarif', content: semgrep.slice(0, -40), ...from };
    const { status, task } = await admin.ok('importFindings', { query: soon, body });
    expect({ status, error: task?.error }).toMatchObject({ status: 'failed', error: { code: 'truncated_report' } });
  });

  test.each([
    ['an unknown format', { format: 'word', content: 'x' }, 'unsupported_format'],
    [
      'both content and an upload',
      { format: 'sarif', content: '{}', uploadId: crypto.randomUUID() },
      'validation_failed',
    ],
    [
      'an encoding of an upload',
      { format: 'sarif', uploadId: crypto.randomUUID(), encoding: 'base64' },
      'validation_failed',
    ],
    ['neither content nor an upload', { format: 'sarif' }, 'validation_failed'],
    ['white space', { format: 'sarif', content: '  ' }, 'validation_failed'],
  ])('%s is refused', async (_name, body, code) => {
    const { admin } = await system.newOrganization();
    expect(await admin.send('POST', '/api/v1/findings/import', { body })).toMatchObject({
      status: 400,
      body: { code },
    });
  });

  test('a held closing can be confirmed only once it was held, and only in its own organization', async () => {
    const { admin } = await system.newOrganization();
    const { taskId } = await admin.ok('importFindings', { query: soon, body: { format: 'sarif', content: semgrep } });
    const confirm = { params: { taskId } };
    expect(await admin.call('confirmHeldClosing', confirm)).toMatchObject({ status: 400, body: { code: 'conflict' } });
    const other = await system.newOrganization();
    const stranger = await other.admin.call('confirmHeldClosing', confirm);
    expect(stranger).toMatchObject({ status: 400, body: { code: 'not_found' } });
  });
});
