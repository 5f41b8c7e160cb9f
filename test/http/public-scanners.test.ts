import { describe, expect, test } from 'vitest';
import { engageInPool, newPool, takeTasks } from '../support/pools.ts';
import { nmapReport } from '../support/recorded.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();

describe('a shared scanner', () => {
  test('delivers its results only to the organization of the task', async () => {
    const [client, other] = [await system.newOrganization(), await system.newOrganization()];
    const { provider, pool, scanner } = await newPool(system, [client, other]);
    await engageInPool(client, pool.id);
    const [task] = await takeTasks(scanner);
    const results = [{ taskId: task?.id ?? '', outcome: 'completed' as const, reports: [nmapReport] }];
    const claims = { results, organizationId: other.organizationId, zone: 'dmz' };
    const answer = await scanner.client.send('POST', '/api/v1/scanner_communication/completed_tasks', { body: claims });
    expect(answer).toMatchObject({ status: 200, body: { results: [{ accepted: true }] } });
    const shown = () => client.admin.ok('getScannerTask', { params: { id: task?.id ?? '' } });
    await expect.poll(async () => (await shown()).result).toBeDefined();
    expect(await shown()).toMatchObject({
      status: 'completed',
      scanner: { id: scanner.id },
      publicScannerGroupId: pool.id,
    });
    expect((await client.admin.ok('listFindings')).totalCount).toBeGreaterThan(0);
    for (const organization of [provider, other]) {
      expect((await organization.admin.ok('listFindings')).totalCount).toBe(0);
      expect((await organization.admin.ok('listScannerTasks')).totalCount).toBe(0);
    }
    expect(await provider.admin.call('getTask', { params: { id: Object(answer.body).taskId } })).toMatchObject({
      status: 400,
      body: { code: 'not_found' },
    });
  });

  test('cannot complete a task of any organization without its lease', async () => {
    const client = await system.newOrganization();
    const { provider, pool, scanner } = await newPool(system, [client]);
    const idle = await provider.scanner({ group: pool.id });
    const stranger = await (await system.newOrganization()).scanner();
    await engageInPool(client, pool.id);
    const [task] = await takeTasks(scanner);
    const results = [{ taskId: task?.id ?? '', outcome: 'completed' as const, reports: [] }];
    for (const machine of [idle, stranger]) {
      const answer = await machine.client.ok('completeScannerTasks', { body: { results } });
      expect(answer.results).toMatchObject([{ accepted: false }]);
    }
    expect((await client.admin.ok('listScannerTasks')).data).toMatchObject([{ status: 'running' }]);
  });
});

describe('a client', () => {
  test('sees the availability and addresses of pools, and its own numbers', async () => {
    const [client, other] = [await system.newOrganization(), await system.newOrganization()];
    const { provider, staff, pool, scanner } = await newPool(system, [client, other]);
    const optionOf = async ({ admin }: TestOrganization) =>
      (await admin.ok('listPublicGroupOptions', { query: { paginateSize: 500 } })).data.find(
        ({ id }) => id === pool.id,
      );
    expect(await optionOf(client)).toMatchObject({ availability: 'unavailable' });
    await takeTasks(scanner, 0);
    await staff.ok('updatePublicScanner', { params: { id: scanner.id }, body: { sourceIps: ['192.0.2.1'] } });
    await engageInPool(other, pool.id, { values: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] });
    await engageInPool(client, pool.id);
    expect(await optionOf(client)).toEqual({
      id: pool.id,
      name: 'Frankfurt',
      description: null,
      region: 'eu',
      taskTypes: [],
      sourceIps: ['192.0.2.1/32'],
      availability: 'available',
      myPending: 1,
      myRunning: 0,
    });
    await provider.scanner({ group: pool.id });
    expect(await optionOf(client)).toMatchObject({ availability: 'degraded' });
    expect(await optionOf(await system.newOrganization())).toBeUndefined();
  });

  test('is never told of an address that is none', async () => {
    const { staff, scanner } = await newPool(system, [await system.newOrganization()]);
    const params = { id: scanner.id };
    const before = await staff.ok('getPublicScanner', { params });
    for (const wrong of ['192.0.2.0/33', '192.0.2.256', '2001:db8::/129', '192.0.2.1/', 'shop.example.com', ''])
      expect(
        await staff.call('updatePublicScanner', { params, body: { sourceIps: ['192.0.2.7', wrong] } }),
      ).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', details: [{ path: 'sourceIps.1' }] },
      });
    expect(await staff.ok('getPublicScanner', { params })).toEqual(before);
  });

  test('sees changes of addresses a week before they take effect', async () => {
    const client = await system.newOrganization();
    const { staff, pool, scanner } = await newPool(system, [client]);
    const params = { id: scanner.id };
    await takeTasks(scanner, 0);
    const listed = async ({ admin }: TestOrganization) =>
      (await admin.ok('listPublicSourceIps', { query: { paginateSize: 500 } })).data.filter(
        ({ groupId }) => groupId === pool.id,
      );
    expect(await listed(client)).toMatchObject([{ scannerId: scanner.id, groupName: 'Frankfurt', validUntil: null }]);
    await staff.ok('updatePublicScanner', { params, body: { sourceIps: ['192.0.2.1/32'] } });
    const changed = await staff.ok('updatePublicScanner', { params, body: { sourceIps: ['192.0.2.9/32'] } });
    expect(changed.sourceIps).toEqual(['192.0.2.9/32']);
    const [old, fresh] = await listed(client);
    expect([old?.cidr, fresh?.cidr]).toEqual(['192.0.2.1/32', '192.0.2.9/32']);
    expect(old?.validUntil).toBe(fresh?.validFrom);
    expect(Date.parse(fresh?.validFrom ?? '') - Date.now()).toBeGreaterThan(6 * 86_400_000);
    expect(await staff.ok('getPublicGroup', { params: { id: pool.id } })).toMatchObject({
      sourceIps: ['192.0.2.1/32'],
    });
    expect(await listed(await system.newOrganization())).toEqual([]);
  });

  test.each([
    ['a pool that is not for it', {}, 'publicScannerGroupId', false],
    ['a zone', { targets: [{ type: 'host', value: '192.0.2.1', zone: 'dmz' }] }, 'targets.0.zone', true],
    ['the scanner itself', { targets: [{ type: 'host', value: '::ffff:127.0.0.1' }] }, 'targets.0.value', true],
    ['a private network', { targets: [{ type: 'cidr', value: '10.0.0.0/30' }] }, 'targets.0.value', true],
    ['a range of addresses as a host', { targets: [{ type: 'host', value: '192.0.2.1-2' }] }, 'targets.0.value', true],
    [
      'a repository on its network',
      { targets: [{ type: 'repository', value: 'git@10.0.0.5:a/b' }], taskTypes: ['sast'] },
      'targets.0.value',
      true,
    ],
    ["the scanner's network", { targets: [{ type: 'cidr', value: '169.254.169.254/32' }] }, 'targets.0.value', true],
    [
      'its page',
      { targets: [{ type: 'url', value: 'http://localhost:8080/' }], taskTypes: ['web'] },
      'targets.0.value',
      true,
    ],
    ['a type that the pool does not do', { taskTypes: ['tls'] }, 'taskTypes.0', true],
  ])('cannot create an engagement with %s', async (_, more, path, isFor) => {
    const client = await system.newOrganization();
    const { pool } = await newPool(system, isFor ? [client] : [], { taskTypes: ['network'] });
    const targets = [{ type: 'host', value: '192.0.2.1' }];
    const body = { title: 'x', kind: 'vulnerability_scan', targets, taskTypes: ['network'], ...more };
    const answer = await client.admin.send('POST', '/api/v1/validation-operations/engagements', {
      body: { ...body, publicScannerGroupId: pool.id },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
  });
});

describe('the administration of pools', () => {
  test('is for staff alone: even an administrator of the provider is refused', async () => {
    const { provider, pool, scanner } = await newPool(system, []);
    const otherStaff = await (await system.newOrganization()).withRole('platform_owner');
    const records = [`public-scanner-groups/${pool.id}`, `public-scanners/${scanner.id}`];
    for (const record of records)
      for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', {}]] as const) {
        const send = (client: typeof otherStaff) =>
          client.send(method, `/api/v1/validation-operations/${record}`, { body });
        expect(await send(provider.admin)).toMatchObject({ status: 401, body: { code: 'insufficient_scope' } });
        expect(await send(otherStaff)).toMatchObject({ status: 400, body: { code: 'not_found' } });
      }
  });

  test('adds and removes scanners; in a pool they take no work of their own organization', async () => {
    const { provider, staff, pool } = await newPool(system, []);
    const scanner = await provider.scanner();
    const params = { id: scanner.id };
    const moved = await staff.ok('updatePublicScanner', { params, body: { publicGroupIds: [pool.id] } });
    expect(moved).toMatchObject({ id: scanner.id, publicGroupIds: [pool.id] });
    expect(await staff.ok('getPublicGroup', { params: { id: pool.id } })).toMatchObject({ scanners: { total: 2 } });
    expect((await staff.ok('listPublicScanners')).data).toContainEqual(moved);
    const kept = await staff.ok('updatePublicGroup', { params: { id: pool.id }, body: { scannerIds: [scanner.id] } });
    expect(kept).toMatchObject({ scannerIds: [scanner.id], version: pool.version + 1 });
    const unknown = await staff.call('updatePublicScanner', { params, body: { publicGroupIds: [scanner.id] } });
    expect(unknown).toMatchObject({ status: 400, body: { details: [{ path: 'publicGroupIds.0' }] } });
    expect(await staff.ok('deletePublicScanner', { params })).toMatchObject({ id: scanner.id });
    expect(await staff.ok('getPublicGroup', { params: { id: pool.id } })).toMatchObject({ scanners: { total: 0 } });
  });

  test('does not delete a pool with waiting tasks, and the refusal names no client', async () => {
    const client = await system.newOrganization();
    const { staff, pool, scanner } = await newPool(system, [client]);
    const params = { id: pool.id };
    await engageInPool(client, pool.id);
    const refused = await staff.call('deletePublicGroup', { params });
    expect(refused).toMatchObject({ status: 400, body: { code: 'conflict', details: [{ path: 'organizations' }] } });
    expect(JSON.stringify(refused.body)).not.toContain(client.organizationId);
    const [task] = await takeTasks(scanner);
    const results = [{ taskId: task?.id ?? '', outcome: 'completed' as const, reports: [] }];
    await scanner.client.ok('completeScannerTasks', { body: { results } });
    await takeTasks(scanner);
    expect(await staff.ok('deletePublicGroup', { params })).toMatchObject({ id: pool.id });
    expect(await staff.call('getPublicGroup', { params })).toMatchObject({ status: 400, body: { code: 'not_found' } });
    expect((await staff.ok('listPublicGroups')).totalCount).toBe(0);
    expect(await staff.ok('getPublicScanner', { params: { id: scanner.id } })).toMatchObject({ publicGroupIds: [] });
  });
});

test('a pool that names organizations is closed to all others, unless it says otherwise', async () => {
  const [client, other] = [await system.newOrganization(), await system.newOrganization()];
  const organizationIds = [client.organizationId];
  const { staff, pool } = await newPool(system, [], { name: 'Named', visibility: undefined, organizationIds });
  const sees = async ({ admin }: typeof client) => {
    const { data } = await admin.ok('listPublicGroupOptions', { query: { paginateSize: 500 } });
    return data.some(({ id }) => id === pool.id);
  };
  expect([pool.visibility, await sees(client), await sees(other)]).toEqual(['selected', true, false]);
  const params = { id: pool.id };
  const change = (body: object) => staff.ok('updatePublicGroup', { params, body });
  expect(await change({ visibility: 'all', organizationIds: [] })).toMatchObject({ visibility: 'all' });
  expect(await change({ description: 'open' })).toMatchObject({ visibility: 'all' });
  expect(await change({ organizationIds })).toMatchObject({ visibility: 'selected' });
  expect(await change({ organizationIds: [] })).toMatchObject({ visibility: 'selected' });
  expect(await change({ visibility: 'all', organizationIds })).toMatchObject({ visibility: 'all' });
  const { pool: open } = await newPool(system, [], { name: 'Open', visibility: undefined });
  expect(open).toMatchObject({ visibility: 'all' });
  await staff.ok('deletePublicGroup', { params });
});

test("only staff can change and remove the provider's appliances", async () => {
  const provider = await system.newOrganization();
  const staff = await provider.withRole('platform_owner');
  const { id } = await provider.machine('apex');
  const params = { id };
  expect((await staff.ok('listPublicAppliances')).data).toMatchObject([{ id, enabled: true }]);
  const drained = await staff.ok('updatePublicAppliance', { params, body: { enabled: false, tags: ['spare'] } });
  expect(drained).toMatchObject({ enabled: false, status: 'disabled', tags: ['spare'] });
  expect(await staff.ok('getPublicAppliance', { params })).toEqual(drained);
  expect(await provider.admin.call('getPublicAppliance', { params })).toMatchObject({ status: 401 });
  expect(await staff.ok('deletePublicAppliance', { params })).toMatchObject({ id });
  expect(await staff.call('getPublicAppliance', { params })).toMatchObject({
    status: 400,
    body: { code: 'not_found' },
  });
});
