import { describe, expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { engage } from '../support/engagements.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();

const refusal = (path: string, code = 'validation_failed') => ({ status: 400, body: { code, details: [{ path }] } });

const take = async (scanner: { client: TestOrganization['admin'] }, capacity = 10) =>
  (await scanner.client.ok('leaseScannerTasks', { body: { capacity } })).tasks;

describe('a scanner group', () => {
  test('is created with its scanners, read, changed and deleted, and its scanners show the change', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const [one, two] = [await organization.scanner(), await organization.scanner()];
    const body = { name: 'Office', routing: ['10.1.2.3/16'], scannerIds: [one.id], tags: ['hq'] };
    const group = await admin.ok('createGroup', { body });
    expect(group).toMatchObject({
      name: 'Office',
      routing: ['10.1.0.0/16'],
      scannerIds: [one.id],
      dispatch: 'round_robin',
      maxConcurrentTasks: null,
      scanners: { total: 1, online: 0 },
      tasks: { pending: 0, running: 0 },
    });
    expect(await admin.ok('getScanner', { params: { id: one.id } })).toMatchObject({ groupIds: [group.id] });
    expect((await admin.ok('listGroups')).data).toEqual([group]);
    await take(two, 0);
    const sent = { ...group, scannerIds: [two.id], description: 'All of it' };
    const changed = await admin.ok('updateGroup', { params: { id: group.id }, body: sent });
    expect(changed).toMatchObject({
      scannerIds: [two.id],
      scanners: { total: 1, online: 1 },
      description: 'All of it',
    });
    expect(await admin.ok('getScanner', { params: { id: one.id } })).toMatchObject({ groupIds: [] });
    expect(await admin.ok('deleteGroup', { params: { id: group.id } })).toMatchObject({ id: group.id });
    expect(await admin.ok('getScanner', { params: { id: two.id } })).toMatchObject({ groupIds: [] });
    expect(await admin.call('getGroup', { params: { id: group.id } })).toMatchObject({ body: { code: 'not_found' } });
  });

  test('cannot be deleted while an engagement names it, and the refusal names the engagement', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const { id } = await admin.ok('createGroup', { body: { name: 'Used' } });
    const { id: engagementId } = await engage(organization, ['10.0.0.1'], { scannerGroupId: id });
    const refused = await admin.call('deleteGroup', { params: { id } });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'conflict', message: expect.stringContaining(engagementId) },
    });
    const scanner = await organization.scanner({ group: id });
    const [task] = await take(scanner);
    await scanner.client.ok('completeScannerTasks', {
      body: { results: [{ taskId: task?.id ?? '', outcome: 'completed', reports: [] }] },
    });
    expect(await admin.ok('deleteGroup', { params: { id } })).toMatchObject({ id });
  });

  test('is refused with the name of another group or with unknown scanners', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const other = await (await system.newOrganization()).scanner();
    const { id } = await admin.ok('createGroup', { body: { name: 'Office' } });
    const params = { id };
    expect(await admin.call('createGroup', { body: { name: 'office' } })).toMatchObject(refusal('name', 'conflict'));
    expect(await admin.call('updateGroup', { params, body: { scannerIds: [other.id] } })).toMatchObject(
      refusal('scannerIds.0'),
    );
    expect(await admin.call('updateGroup', { params, body: { routing: ['10.0.0.0/8', '10.0.0.0/77'] } })).toMatchObject(
      refusal('routing.1'),
    );
    const scanner = await organization.scanner();
    const joining = { params: { id: scanner.id }, body: { groupIds: [newId()] } };
    expect(await admin.call('updateScanner', joining)).toMatchObject(refusal('groupIds.0'));
    const token = { kind: 'scanner' as const, group: newId() };
    expect(await admin.call('createLinkToken', { body: token })).toMatchObject(refusal('group'));
    const engagement = {
      title: 'Scan',
      kind: 'vulnerability_scan' as const,
      targets: [{ type: 'host' as const, value: '10.0.0.1' }],
      taskTypes: ['network' as const],
      scannerGroupId: newId(),
    };
    expect(await admin.call('createEngagement', { body: engagement })).toMatchObject(refusal('scannerGroupId'));
  });
});

test('a scanner with the most groups can still be changed, and no further group takes it', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const { id } = await organization.scanner();
  for (let n = 0; n < 10; n++) await admin.ok('createGroup', { body: { name: `Group ${n}`, scannerIds: [id] } });
  const refused = await admin.call('createGroup', { body: { name: 'One more', scannerIds: [id] } });
  expect(refused).toMatchObject(refusal('scannerIds.0'));
  const [last] = (await admin.ok('listGroups')).data;
  const params = { id: last?.id ?? '' };
  expect(await admin.ok('updateGroup', { params, body: { ...last, description: 'The tenth' } })).toMatchObject({
    name: 'Group 9',
    scannerIds: [id],
  });
});

test('groups that are created simultaneously all get their scanners', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const { id } = await organization.scanner();
  const make = (n: number) => admin.ok('createGroup', { body: { name: `Group ${n}`, scannerIds: [id] } });
  const groups = await Promise.all([1, 2, 3, 4, 5, 6].map(make));
  for (const group of groups) expect(group.scannerIds).toEqual([id]);
  const { groupIds } = await admin.ok('getScanner', { params: { id } });
  expect(groupIds.toSorted()).toEqual(groups.map((group) => group.id).toSorted());
});

test('two people who change the same scanner do not overwrite each other unnoticed', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const { id } = await organization.scanner();
  const params = { id };
  const { version } = await admin.ok('getScanner', { params });
  const notes = Array.from({ length: 6 }, (_, n) => `note ${n}`);
  const answers = await Promise.all(
    notes.map((note) => admin.call('updateScanner', { params, body: { notes: note, version } as { notes: string } })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

describe('tasks of a group', () => {
  test('go to the group of their target, and other tasks to any scanner', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const { id } = await admin.ok('createGroup', { body: { name: 'Net', routing: ['10.1.0.0/16'] } });
    const [inside, outside] = [await organization.scanner({ group: id }), await organization.scanner()];
    await take(outside, 0);
    await engage(organization, ['10.1.0.7', '10.2.0.7']);
    expect(await admin.ok('getGroup', { params: { id } })).toMatchObject({ tasks: { pending: 1, running: 0 } });
    expect((await take(outside)).map(({ target }) => target.value)).toEqual(['10.2.0.7']);
    expect((await take(inside)).map(({ target }) => target.value)).toEqual(['10.1.0.7']);
    expect(await admin.ok('getGroup', { params: { id } })).toMatchObject({ tasks: { pending: 0, running: 1 } });
  });

  test('wait while the group is at its limit, and show that reason', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const { id } = await admin.ok('createGroup', { body: { name: 'Slow', maxConcurrentTasks: 1 } });
    const scanners = [await organization.scanner({ group: id }), await organization.scanner({ group: id })];
    for (const scanner of scanners) await take(scanner, 0);
    await engage(organization, ['10.0.0.1', '10.0.0.2'], { scannerGroupId: id });
    const taken = (await Promise.all(scanners.map((scanner) => take(scanner)))).flat();
    expect(taken).toHaveLength(1);
    const waiting = (await admin.ok('listScannerTasks')).data.find(({ status }) => status === 'pending');
    expect(waiting).toMatchObject({ waitingReason: 'quota', scannerGroupId: id });
    const results = [{ taskId: taken[0]?.id ?? '', outcome: 'completed' as const, reports: [] }];
    for (const { client } of scanners) await client.ok('completeScannerTasks', { body: { results } });
    expect((await Promise.all(scanners.map((scanner) => take(scanner)))).flat()).toHaveLength(1);
  });

  test('are distributed evenly over the online scanners', async () => {
    const organization = await system.newOrganization();
    const { id } = await organization.admin.ok('createGroup', { body: { name: 'Even', dispatch: 'least_loaded' } });
    const [one, two] = [await organization.scanner({ group: id }), await organization.scanner({ group: id })];
    for (const scanner of [one, two]) await take(scanner, 0);
    await engage(organization, ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'], { scannerGroupId: id });
    expect(await take(one)).toHaveLength(2);
    expect(await take(one)).toHaveLength(0);
    expect(await take(two)).toHaveLength(2);
  });

  test('are not given to scanners that are drained or in maintenance', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const { id } = await admin.ok('createGroup', { body: { name: 'Care' } });
    const scanner = await organization.scanner({ group: id });
    await take(scanner, 0);
    await engage(organization, ['10.0.0.1'], { scannerGroupId: id });
    const params = { id: scanner.id };
    await admin.ok('updateScanner', { params, body: { enabled: false } });
    expect(await take(scanner)).toEqual([]);
    const maintenanceUntil = new Date(Date.now() + 3_600_000).toISOString();
    await admin.ok('updateScanner', { params, body: { enabled: true, maintenanceUntil } });
    expect(await take(scanner)).toEqual([]);
    await admin.ok('updateScanner', { params, body: { maintenanceUntil: null } });
    expect(await take(scanner)).toHaveLength(1);
  });
});
