import { describe, expect, test } from 'vitest';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { bare } from '../support/bare.ts';
import { engage } from '../support/engagements.ts';
import { nmapReport } from '../support/recorded.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

describe('the main job', () => {
  test('an engagement becomes tasks, a scanner completes them, and the progress is visible', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const scanner = await organization.scanner({ taskTypes: ['network'] });
    const { id, task, queued } = await engage(organization, ['127.0.0.1', '10.9.0.0/30']);
    expect(queued).toMatchObject({ status: 'queued', resource: { type: 'engagement' } });
    expect(task).toMatchObject({ status: 'succeeded', result: { engagementId: id, scannerTasks: 2 } });
    expect(await admin.ok('getEngagement', { params: { id } })).toMatchObject({
      status: 'scheduled',
      tasks: { pending: 2 },
    });

    const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } });
    expect(tasks).toMatchObject([{ type: 'network', target: { type: 'host', value: '127.0.0.1' }, engagementId: id }]);
    const taskId = tasks[0]?.id ?? '';
    expect(await admin.ok('getEngagement', { params: { id } })).toMatchObject({
      status: 'running',
      tasks: { running: 1 },
    });
    expect(await admin.ok('getScanner', { params: { id: scanner.id } })).toMatchObject({
      status: 'online',
      runningTasks: 1,
    });

    const result = { taskId, outcome: 'completed' as const, reports: [nmapReport] };
    const answer = await scanner.client.ok('completeScannerTasks', { body: { results: [result] } });
    expect(answer).toMatchObject({
      status: 'queued',
      results: [{ taskId, accepted: true, ingestTaskIds: [answer.taskId] }],
    });
    expect(await finished(scanner.client, answer.taskId)).toMatchObject({ status: 'succeeded' });
    const shown = await admin.ok('getScannerTask', { params: { id: taskId } });
    expect(shown).toMatchObject({ status: 'completed', ingestTaskId: answer.taskId, scanner: { id: scanner.id } });
    expect(shown.result).toBeDefined();

    const byStatus = await admin.ok('countScannerTasksByStatus');
    expect(byStatus.map(({ value, count }) => [value, count])).toEqual([
      ['pending', 1],
      ['running', 0],
      ['completed', 1],
      ['failed', 0],
      ['cancelled', 0],
    ]);
    expect(bare(await admin.ok('countScannerTasksByType'))).toEqual([{ value: 'network', label: 'Network', count: 2 }]);
    expect(bare(await admin.ok('countScannerTasksByZone'))).toEqual([{ value: null, label: 'No zone', count: 2 }]);
    const found = await admin.ok('searchScannerTasks', { query: { search: '127.0' } });
    expect(found.data.map((one) => one.id)).toEqual([taskId]);
    const listed = await admin.ok('listScannerTasks', { query: { engagementId: id } });
    expect(listed).toMatchObject({ totalCount: 2, data: [{ target: { value: '10.9.0.0/30' } }, { id: taskId }] });
  });

  test('the task shows that its report could not be read', async () => {
    const organization = await system.newOrganization();
    const scanner = await organization.scanner({ taskTypes: ['network'] });
    await engage(organization, ['127.0.0.1']);
    const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } });
    const taskId = tasks[0]?.id ?? '';
    const content = '<?xml version="1.0"?><nmaprun scanner="nmap" version="7.94"><host><status state="up"/>';
    const results = [{ taskId, outcome: 'completed' as const, reports: [{ format: 'nmap', content }] }];
    const answer = await scanner.client.ok('completeScannerTasks', { body: { results } });
    const ingest = await finished(scanner.client, answer.taskId);
    expect(ingest).toMatchObject({ status: 'failed' });
    const shown = await organization.admin.ok('getScannerTask', { params: { id: taskId } });
    expect(shown).toMatchObject({ status: 'completed', error: { code: ingest.error?.code } });
  });

  test('a task shows the reason why it waits', async () => {
    const organization = await system.newOrganization();
    await engage(organization, ['10.0.0.1']);
    const reasonNow = async () => (await organization.admin.ok('listScannerTasks')).data[0]?.waitingReason;
    expect(await reasonNow()).toBe('no_scanner_in_zone');
    await organization.scanner({ taskTypes: ['web'] });
    expect(await reasonNow()).toBe('no_scanner_for_type');
    const scanner = await organization.scanner({ taskTypes: ['network'] });
    expect(await reasonNow()).toBe('all_offline');
    await scanner.client.ok('leaseScannerTasks', { body: { capacity: 0 } });
    expect(await reasonNow()).toBeUndefined();
  });
});

describe('wrong requests', () => {
  test('a poll without capacity or a completion without results is refused with the missing field', async () => {
    const { client } = await (await system.newOrganization()).scanner();
    const poll = await client.call('leaseScannerTasks', { body: {} });
    expect(poll).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path: 'capacity' }] } });
    const completion = await client.call('completeScannerTasks', { body: {} });
    expect(completion).toMatchObject({ status: 400, body: { details: [{ path: 'results' }] } });
  });

  test('fields of a newer scanner are ignored', async () => {
    const { client } = await (await system.newOrganization()).scanner();
    const body = { capacity: 1, gpuCount: 4, taskTypes: ['network', 'quantum'] };
    expect(await client.send('POST', '/api/v1/scanner_communication/new_tasks', { body })).toMatchObject({
      status: 200,
    });
  });

  test.each([
    ['an invalid target', { targets: [{ type: 'cidr', value: '10.0.0.0/99' }] }, 'targets.0.value'],
    ['too large a range', { targets: [{ type: 'cidr', value: '10.0.0.0/8' }] }, 'targets'],
    ['too large a range of IPv6', { targets: [{ type: 'cidr', value: '2001:db8::/64' }] }, 'targets'],
    ['a target that no task type works on', { targets: [{ type: 'repository', value: 'a/b' }] }, 'targets.0.type'],
    ['exclusions that leave nothing', { exclusions: [{ type: 'cidr', value: '10.0.0.0/24' }] }, 'exclusions'],
    ['an unknown task type', { taskTypes: ['guess'] }, 'taskTypes.0'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ])('an engagement with %s is refused with the wrong field', async (_, wrong, path) => {
    const { admin } = await system.newOrganization();
    const body = {
      title: 'Scan',
      kind: 'vulnerability_scan',
      targets: [{ type: 'host', value: '10.0.0.1' }],
      taskTypes: ['network'],
    };
    const answer = await admin.send('POST', '/api/v1/validation-operations/engagements', {
      body: { ...body, ...wrong },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(Object(answer.body).details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect((await admin.ok('listEngagements')).totalCount).toBe(0);
  });
});

describe('a scanner record', () => {
  test('can be read, edited and sent back whole, and applies from the next poll', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const scanner = await organization.scanner({ taskTypes: ['network'] });
    await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } });
    await engage(organization, ['10.0.0.1']);
    const read = await admin.ok('getScanner', { params: { id: scanner.id } });
    const body = { ...read, zone: 'dmz', tags: ['edge'] };
    const updated = await admin.ok('updateScanner', { params: { id: scanner.id }, body });
    expect(updated).toMatchObject({ zone: 'dmz', tags: ['edge'], version: read.version + 1 });
    expect((await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } })).tasks).toEqual([]);
    await admin.ok('updateScanner', { params: { id: scanner.id }, body: { zone: null } });
    expect((await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } })).tasks).toHaveLength(1);
    const refused = await admin.call('updateScanner', { params: { id: scanner.id }, body: { hostname: 'other' } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'read_only' } });
  });

  test('can be removed, and its task returns to the queue', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const scanner = await organization.scanner({ taskTypes: ['network'] });
    await engage(organization, ['10.0.0.1']);
    await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } });
    expect(await admin.ok('deleteScanner', { params: { id: scanner.id } })).toMatchObject({ id: scanner.id });
    expect(await admin.call('getScanner', { params: { id: scanner.id } })).toMatchObject({
      status: 400,
      body: { code: 'not_found' },
    });
    expect((await admin.ok('listScannerTasks')).data[0]).toMatchObject({ status: 'pending', scanner: null });
    expect(await scanner.client.call('leaseScannerTasks', { body: { capacity: 1 } })).toMatchObject({ status: 401 });
  });

  test('moves to the new zone at once when the scanner links with another token', async () => {
    const organization = await system.newOrganization();
    const instanceId = crypto.randomUUID();
    const link = async (zone: string, clientSecret?: string) => {
      const linkToken = await organization.linkToken('scanner', { zone });
      const body = { linkToken, name: 'edge', instanceId, clientSecret, taskTypes: ['network'] };
      return organization.admin.send('POST', '/api/v1/scanner_communication/link', { body });
    };
    const first = Object((await link('a')).body);
    const client = system.client(async () => {
      const body = { grant_type: 'client_credentials', client_id: first.clientId, client_secret: first.clientSecret };
      return Object((await system.client().send('POST', '/api/v1/oauth/token', { body })).body).access_token;
    });
    await client.ok('leaseScannerTasks', { body: { capacity: 0 } });
    const second = Object((await link('b', first.clientSecret)).body);
    expect(second.id).toBe(first.id);
    const targets = [{ type: 'host' as const, value: '10.0.0.1', zone: 'b' }];
    await engage(organization, [], { targets });
    const again = Object((await link('b', second.clientSecret)).body);
    first.clientSecret = again.clientSecret;
    expect((await client.ok('leaseScannerTasks', { body: { capacity: 1 } })).tasks).toHaveLength(1);
  });
});

test('tasks are filtered by status, type, zone, group and day, each figure of tasks has its list', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const scanner = await organization.scanner({ taskTypes: ['network'], zone: 'Plant' });
  const targets = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((value) => ({
    type: 'host' as const,
    value,
    zone: 'Plant',
  }));
  const first = await engage(organization, [], { targets });
  const second = await engage(organization, ['192.0.2.9']);
  const found = async (query: object) =>
    (await admin.ok('listScannerTasks', { query })).data.map(({ target }) => target.value).sort();
  const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 2 } });
  const [done, running] = tasks.map(({ target }) => target.value);
  const results = [{ taskId: tasks[0]?.id ?? '', outcome: 'completed' as const, reports: [] }];
  await scanner.client.ok('completeScannerTasks', { body: { results } });

  expect(await found({ filter: 'status:running' })).toEqual([running]);
  expect(await found({ filter: 'status:completed,running zone:PLANT' })).toEqual([done, running].sort());
  expect(await found({ filter: 'status:pending -zone:*' })).toEqual(['192.0.2.9']);
  expect(await found({ filter: `engagement:${second.id} OR status:completed` })).toEqual([done, '192.0.2.9'].sort());
  expect(await found({ filter: 'type:network created:1d -scannerGroup:* 10.0.0.1' })).toEqual(['10.0.0.1']);
  expect(await found({ filter: 'created<1d', engagementId: first.id })).toHaveLength(3);
  expect(await found({ filter: 'created>1d' })).toEqual([]);
  const saved = { name: 'mine', entity: 'scanner-task', filter: 'zone:plant' } as const;
  const { id: filterId } = await admin.ok('createSavedFilter', { body: saved });
  const searched = await admin.ok('searchScannerTasks', {
    query: { search: '10.0.0', filterId, filter: '-status:completed' },
  });
  expect(searched.totalCount).toBe(2);
  const values = await admin.ok('listFilterValues', { query: { entity: 'scanner-task', field: 'status' } });
  expect(values.find(({ value }) => value === 'running')).toEqual({ value: 'running', count: 1 });
  for (const name of ['countScannerTasksByStatus', 'countScannerTasksByType', 'countScannerTasksByZone'] as const)
    for (const { count, links } of await admin.ok(name)) {
      const { body } = await admin.send('GET', links.list.count ?? '', {});
      expect({ name, total: Object(body).totalCount }).toEqual({ name, total: count });
    }
  await expectExact(table, [scannerTasks]);
});
