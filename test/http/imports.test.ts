import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { problems, sarif } from '../functions/workers/imports/reports.ts';
import type { Client } from '../support/client.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const shop = { repository: 'https://git.example.com/shop/api', ref: 'main' };
const soon = { waitSeconds: 20 };

async function imported(client: Client, content: string, more: object = {}): Promise<string> {
  const body = { format: 'auto', content, ...shop, ...more };
  return (await client.ok('importFindings', { query: soon, body })).taskId;
}

test('a manager sees who imported what, how it ended, and finds it by asset, target, tool and status', async () => {
  const { admin, table } = await system.newOrganization();
  const first = await imported(admin, sarif(problems(3)), { commit: 'abc' });
  const second = await imported(admin, sarif(problems(1), { tool: 'Other Scan' }), {
    repository: 'shop/web',
    ref: undefined,
  });
  const failed = await imported(admin, sarif(problems(1)).slice(0, -9));
  const list = async (query: object = {}) => {
    const { data, totalCount } = await admin.ok('listImports', { query });
    expect(totalCount).toBe(data.length);
    return data.map(({ taskId }) => taskId);
  };
  expect(await list()).toEqual([failed, second, first]);
  expect(await list({ target: 'git.example.com/shop/api.git' })).toEqual([failed, first]);
  expect(await list({ tool: 'other scan' })).toEqual([second]);
  expect(await list({ tool: 'acme-scan', status: 'succeeded' })).toEqual([first]);
  expect(await list({ status: 'failed' })).toEqual([failed]);
  const broken = (await admin.ok('listImports', { query: { status: 'failed' } })).data[0];
  const nothing = { created: 0, updated: 0, unchanged: 0, closed: 0, reopened: 0, rejected: 0 };
  expect(broken).toMatchObject({ counts: nothing, error: { code: 'truncated_report' } });
  expect(await list({ held: 'true' })).toEqual([]);
  const { data } = await admin.ok('listFindings', { query: { taskId: first } });
  expect(await list({ assetId: data[0]?.asset.id })).toEqual([failed, first]);
  const item = (await admin.ok('listImports', { query: { tool: 'acme-scan' } })).data[0];
  expect(item).toEqual({
    id: item?.id,
    createdAt: item?.createdAt,
    createdBy: expect.objectContaining({ name: 'administrator' }),
    taskId: first,
    status: 'succeeded',
    source: 'import',
    format: 'sarif',
    tools: ['acme-scan'],
    target: { type: 'repository', value: (await table.get(assets, data[0]?.asset.id ?? '')).value },
    zone: null,
    ref: 'main',
    commit: 'abc',
    scanType: null,
    part: null,
    engagementId: null,
    scannerTaskId: null,
    runId: null,
    receivedAt: item?.receivedAt,
    counts: { created: 3, updated: 0, unchanged: 0, closed: 0, reopened: 0, rejected: 0 },
    bySeverity: {
      created: { critical: 0, high: 3, medium: 0, low: 0, info: 0 },
      closed: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
      reopened: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
    },
    held: null,
    error: null,
    undone: null,
    links: {
      task: `/api/v1/tasks/${first}`,
      findings: `/api/v1/findings?taskId=${first}`,
      undo: `/api/v1/findings/imports/${first}/undo`,
    },
  });
});

test('a closing that waits says so in the list and in the summary, until someone confirms it', async () => {
  const { admin } = await system.newOrganization();
  await imported(admin, sarif(problems(30)));
  const body = { format: 'auto' as const, content: sarif(problems(5)), ...shop };
  const { taskId: held, warnings } = await admin.ok('importFindings', { body, query: soon });
  expect(warnings).toEqual([
    expect.stringMatching(
      RegExp(`lacks 25 of the 30 open findings.*More than half of them, and at least 20.*POST .*/${held}/confirm`),
    ),
  ]);
  const waiting = async () => (await admin.ok('listImports', { query: { held: 'true' } })).data;
  expect(await waiting()).toMatchObject([
    { taskId: held, held: { count: 25 }, links: { confirm: `/api/v1/findings/imports/${held}/confirm` } },
  ]);
  const summary = () => admin.ok('getFindingsSummary', {});
  expect(await summary()).toMatchObject({ open: 30, held: 25 });
  const { taskId } = await admin.ok('confirmHeldClosing', { params: { taskId: held } });
  await admin.ok('getTask', { params: { id: taskId }, query: soon });
  expect(await waiting()).toEqual([]);
  expect(await summary()).toMatchObject({ open: 5, held: 0 });
  const [record] = (await admin.ok('listImports', {})).data;
  expect(record).toMatchObject({ taskId: held, counts: { closed: 25 }, bySeverity: { closed: { high: 25 } } });
});

test('a later report of the same scope takes the place of a closing that nobody confirmed', async () => {
  const { admin } = await system.newOrganization();
  await imported(admin, sarif(problems(30)));
  const held = await imported(admin, sarif(problems(5)));
  await imported(admin, sarif(problems(30)));
  expect((await admin.ok('listImports', { query: { held: 'true' } })).data).toEqual([]);
  const answer = await admin.call('confirmHeldClosing', { params: { taskId: held } });
  expect(answer).toMatchObject({ status: 400, body: { code: 'conflict' } });
});

test('another organization sees and undoes nothing', async () => {
  const [own, other] = [await system.newOrganization(), await system.newOrganization()];
  const taskId = await imported(own.admin, sarif(problems(2)));
  expect((await other.admin.ok('listImports', {})).data).toEqual([]);
  const answer = await other.admin.call('undoImport', { params: { taskId } });
  expect(answer).toMatchObject({ status: 400, body: { code: 'not_found' } });
});

test('an undone import shows who undid it, and is undone once', async () => {
  const { admin, withRole } = await system.newOrganization();
  const analyst = await withRole('analyst');
  const taskId = await imported(admin, sarif(problems(2)));
  const { task } = await analyst.ok('undoImport', { params: { taskId }, query: soon });
  expect(task?.result).toMatchObject({ deleted: 2, opened: 0, fixed: 0, keptCount: 0 });
  const [record] = (await admin.ok('listImports', { query: { status: 'undone' } })).data;
  expect(record).toMatchObject({ taskId, undone: { taskId: task?.id, by: { name: 'analyst' }, deleted: 2, kept: 0 } });
  expect(record?.links).not.toHaveProperty('undo');
  const again = await analyst.call('undoImport', { params: { taskId } });
  expect(again).toMatchObject({
    status: 400,
    body: { code: 'conflict', message: expect.stringMatching(/undone already/) },
  });
  const failed = await imported(admin, sarif(problems(2)).slice(0, -9));
  expect(await admin.call('undoImport', { params: { taskId: failed } })).toMatchObject({ status: 400 });
});

test('an empty list is a clean report of the one format that a scan has sent before', async () => {
  const { admin } = await system.newOrganization();
  const leak = { RuleID: 'generic-api-key', File: 'a.env', StartLine: 1, Secret: 'k3y-EXAMPLE-0011223344', Entropy: 4 };
  await imported(admin, JSON.stringify([leak]));
  const clean = await imported(admin, '[ ]\n');
  const [item] = (await admin.ok('listImports', { query: {} })).data.filter(({ taskId }) => taskId === clean);
  expect(item).toMatchObject({ status: 'succeeded', format: 'gitleaks', counts: { closed: 1 } });
  const refused = { format: 'auto' as const, content: '[]', repository: 'shop/other', ref: 'main' };
  expect(await admin.call('importFindings', { body: refused })).toMatchObject({ status: 400 });
  await imported(
    admin,
    JSON.stringify([{ code: 'DL3000', file: 'Dockerfile', line: 1, column: 1, level: 'error', message: 'm' }]),
  );
  const either = { format: 'auto' as const, content: '[]', ...shop };
  expect(await admin.call('importFindings', { body: either })).toMatchObject({ status: 400 });
});

test('a sender is warned that a VEX document names nothing here, and that a report may be of another part', async () => {
  const { admin } = await system.newOrganization();
  const vex = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    vulnerabilities: [{ id: 'CVE-2021-23337', analysis: { state: 'not_affected' } }],
  };
  const send = (content: string) =>
    admin.ok('importFindings', { body: { format: 'auto' as const, content, ...shop }, query: soon });
  expect((await send(JSON.stringify(vex))).warnings).toEqual([
    expect.stringMatching(/^None of the 1 statements .* names a finding here/),
  ]);
  await send(sarif([{ rule: 'a', file: 'apps/web/a.ts' }]));
  expect((await send(sarif([{ rule: 'a', file: 'apps/api/a.ts' }]))).warnings).toEqual([
    expect.stringMatching(/no file in the folders of 1 findings.*Send part/),
  ]);
});

test('a JSON body may have its fields in the query, where generated clients send the documented defaults', async () => {
  const { admin } = await system.newOrganization();
  const content = sarif([{ rule: 'a', file: 'src/a.ts' }]);
  const query = {
    ...soon,
    format: 'auto',
    closeMissing: 'true',
    repository: 'https://git.example.com/acme/shop',
  };
  const { status, body } = await admin.send('POST', '/api/v1/findings/import', {
    query,
    body: { content, format: 'sarif' },
  });
  expect({ status, body }).toMatchObject({ status: 200, body: { task: { result: { created: 1 } } } });
  const { data } = await admin.ok('listImports');
  expect(data).toMatchObject([
    { format: 'sarif', target: { type: 'repository', value: 'https://git.example.com/acme/shop' } },
  ]);
});
