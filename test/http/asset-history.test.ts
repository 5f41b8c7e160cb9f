import { expect, test } from 'vitest';
import { problems, sarif } from '../functions/workers/imports/reports.ts';
import type { AnswerOf, Client, RequestOf } from '../support/client.ts';
import { startSystem } from '../support/system.ts';
import { addFinding, follow, log4j } from '../support/vulnerabilities.ts';
import { finished, until } from '../support/wait.ts';

const system = startSystem();

type Change = AnswerOf<'listAssetHistory'>['data'][number];

/** All changes of an asset, page by page, once there are so many: they rest for some seconds. */
function historyOf(client: Client, id: string, { count, limit = 100 }: { count: number; limit?: number }) {
  const readAll = async () => {
    const all: Change[] = [];
    for (let before: number | null | undefined; before !== null; ) {
      const query: RequestOf<'listAssetHistory'>['query'] = { limit, ...(before && { before }) };
      const page = await client.ok('listAssetHistory', { params: { id }, query });
      all.push(...page.data);
      before = page.next;
    }
    return all;
  };
  return until(readAll, (all) => all.length >= count);
}

const value = 'https://git.example.com/acme/shop';
const imported = (client: Client, repository: string) =>
  client.ok('importFindings', {
    query: { waitSeconds: 20 },
    body: { format: 'sarif', content: sarif(problems(2)), repository },
  });

test('an analyst reads who made an asset, what people and rules changed of it, and that it went and came back', async () => {
  const { admin, withRole } = await system.newOrganization();
  const analyst = await withRole('analyst');
  const { taskId } = await imported(admin, value);
  const { data } = await analyst.ok('listAssets');
  const id = data[0]?.id ?? '';
  const params = { id };
  await analyst.ok('updateAsset', { params, body: { criticality: 'critical' } });
  const condition = { field: 'repository', operator: 'exists' } as const;
  const rule = await analyst.ok('createAssetTagRule', { body: { name: 'code', condition, tags: ['code'] } });
  await finished(analyst, rule.taskId);
  await finished(analyst, (await analyst.ok('retireAsset', { params })).taskId);
  await imported(admin, value);
  const changes = await historyOf(analyst, id, { count: 5 });
  const [returned, retired, tagged, changed, created] = changes.filter(
    ({ changes }) => Object.keys(changes).length > 0,
  );
  expect(created).toMatchObject({
    kind: 'created',
    version: 1,
    taskId,
    changes: { value: { to: value }, sources: { to: ['acme-scan'] } },
  });
  expect(changed).toMatchObject({
    kind: 'updated',
    operation: 'updateAsset',
    version: 2,
    reason: null,
    changes: { criticality: { from: 'medium', to: 'critical' } },
  });
  expect(tagged).toMatchObject({ by: { kind: 'system' }, changes: { ruleTags: { to: ['code'] } } });
  expect(retired).toMatchObject({ operation: 'retireAsset', changes: { retiredAt: { to: expect.any(String) } } });
  expect(returned).toMatchObject({ changes: { retiredAt: { from: expect.any(String) } } });
  expect(await historyOf(analyst, id, { count: 5, limit: 1 })).toEqual(changes);
});

test('a merge and its undoing say why, on both assets', async () => {
  const { admin } = await system.newOrganization();
  await imported(admin, value);
  await imported(admin, 'https://git.example.com/acme/store');
  const [store, shop] = (await admin.ok('listAssets')).data.map(({ id }) => id);
  const merge = await admin.ok('mergeAssets', { params: { id: store ?? '' }, body: { intoId: shop ?? '' } });
  await finished(admin, merge.taskId);
  const undoing = await admin.ok('undoAssetMerge', { params: { taskId: merge.taskId } });
  await finished(admin, undoing.taskId);
  const [parted, merged] = await historyOf(admin, shop ?? '', { count: 3 });
  expect(merged).toMatchObject({
    kind: 'updated',
    operation: 'mergeAssets',
    reason: `The asset ${store} was merged into it.`,
    changes: { aliases: { to: [{ value: 'https://git.example.com/acme/store' }] } },
  });
  expect(parted).toMatchObject({ operation: 'undoAssetMerge', reason: 'The merge of the two assets was undone.' });
  const away = await historyOf(admin, store ?? '', { count: 3 });
  expect(away.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['created', 'The merge of the two assets was undone.'],
    ['deleted', `It was merged into the asset ${shop}.`],
    ['created', null],
  ]);
});

test('other organizations read nothing of it', async () => {
  const [own, other] = [await system.newOrganization(), await system.newOrganization()];
  const { id } = await own.admin.ok('createAsset', { body: { type: 'host', value: 'web-1' } });
  expect(await other.admin.call('listAssetHistory', { params: { id } })).toMatchObject({ body: { code: 'not_found' } });
});

test('the open vulnerabilities of an asset are counted by severity, until they are fixed', async () => {
  const { admin, table } = await system.newOrganization();
  const { id, type, name, zone } = await admin.ok('createAsset', { body: { type: 'host', value: 'web-1' } });
  const asset = { id, type, name, zone };
  const cves = ['CVE-2021-23017', 'CVE-2019-20372', 'CVE-2019-9511'];
  await addFinding(table, log4j({ asset }));
  const nginx = await addFinding(table, { asset, title: 'old nginx', severity: 'high', cves });
  const counted = async () => {
    await follow({ connections: system.connections, table });
    return (await admin.ok('getAsset', { params: { id } })).openVulnerabilities;
  };
  expect(await counted()).toEqual({ critical: 1, high: 3, medium: 0, low: 0, info: 0 });
  await admin.ok('updateFinding', { params: { id: nginx.id }, body: { status: 'fixed' } });
  expect(await counted()).toMatchObject({ critical: 1, high: 0 });
});
