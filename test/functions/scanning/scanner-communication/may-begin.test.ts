import { describe, expect, test } from 'vitest';
import { refusedTasks } from '#functions/scanning/scanner-communication/may-begin.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { type ScannerTask, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { makeBranch, makeRepository } from '../../../support/repositories.ts';
import { putPool } from '../../../support/scanning.ts';
import { newWorld } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

/** A pool with a client whose task an older release queued with these fields. */
async function queuedByOlderRelease(fields: Partial<ScannerTask>, more: object = {}) {
  const [provider, client] = [newWorld(store.dynamo), newWorld(store.dynamo)];
  const poolId = newId();
  await putPool(store.dynamo, { poolId, providerId: provider.table.organizationId });
  const scanner = await provider.link({ publicGroupIds: [poolId] });
  const { id } = await client.engage(['192.0.2.1'], { more: { publicScannerGroupId: poolId, ...more } });
  const [task] = await client.tasks();
  await client.table.modify(scannerTasks, task?.id ?? '', () => fields);
  return { client, id, poll: () => provider.poll(scanner.id, { capacity: 5 }) };
}

const host = (value: string) => ({ target: { type: 'host' as const, value, zone: null } });

test.each<[string, Partial<ScannerTask>, string]>([
  ['a private address', host('10.0.0.7'), '10.0.0.7 must be of the public network'],
  ['what Nmap reads as several addresses', host('192.0.2.1-9'), 'The target 192.0.2.1-9'],
  ['an exploiting script', { parameters: { scripts: 'exploit' } }, 'parameters.network.scripts'],
])(
  'a shared scanner is not sent to %s that an older release queued, and the client reads why',
  async (_, fields, why) => {
    const { client, id, poll } = await queuedByOlderRelease(fields);
    expect((await poll()).tasks).toEqual([]);
    const error = { code: 'not_allowed', message: expect.stringContaining(why) };
    expect(await client.tasks()).toMatchObject([{ status: 'cancelled', error }]);
    expect((await client.table.get(engagements, id)).status).toBe('cancelled');
    await client.expectExactCounters();
  },
);

test('a script that its engagement allows is handed out, and so is the intensity of any engagement', async () => {
  const scripts = { parameters: { scripts: 'exploit', intensity: 'low' } };
  const allowed = await queuedByOlderRelease(scripts, { rulesOfEngagement: { allowExploitation: true } });
  expect((await allowed.poll()).tasks).toMatchObject([scripts]);
  const gentle = await queuedByOlderRelease({}, { intensity: 'low' });
  expect((await gentle.poll()).tasks).toMatchObject([{ parameters: { intensity: 'low' } }]);
});

const waiting = (more: object) =>
  ({
    id: newId(),
    type: 'network',
    parameters: {},
    engagementId: newId(),
    ...host('10.0.0.7'),
    ...more,
  }) as ScannerTask;

/** Why each of the tasks may not begin; undefined of those that may. */
async function refusals(table: Table, ...tasks: ScannerTask[]) {
  const refused = await refusedTasks(table, tasks);
  return tasks.map(({ id }) => refused.get(id)?.message);
}

test('a scanner of the organization itself is sent to private addresses, and to nothing that reads as several', async () => {
  const table = newOrganization(store.dynamo);
  const [near, several] = [waiting({}), waiting(host('10.0.0.1-9'))];
  expect(await refusals(table, near, several)).toEqual([undefined, expect.stringContaining('10.0.0.1-9')]);
});

test('an exploiting script begins where its own engagement allows it', async () => {
  const world = newWorld(store.dynamo);
  const parameters = { scripts: 'exploit' };
  const allowed = await world.engage(['10.0.0.1'], { more: { rulesOfEngagement: { allowExploitation: true } } });
  const other = await world.engage(['10.0.0.2']);
  const ids = [allowed.id, other.id, newId()];
  const asked = ids.map((engagementId) => waiting({ engagementId, parameters }));
  const why = expect.stringContaining('parameters.network.scripts');
  expect(await refusals(world.table, ...asked, waiting({}))).toEqual([undefined, why, why, undefined]);
});

describe('a scan of a branch', () => {
  const scanOf = (repositoryId: string, branchId: string, parameters = {}) =>
    waiting({
      type: 'sast',
      engagementId: null,
      parameters,
      codeScan: { repositoryId, branchId },
      target: { type: 'repository', value: 'git.example.com/shop/cart', zone: null },
    });

  test('begins while the branch and its repository are there, with what the service itself wrote', async () => {
    const table = newOrganization(store.dynamo);
    const repository = await makeRepository(table, 'codehost_a');
    const branch = await makeBranch(table, repository);
    expect(await refusals(table, scanOf(repository.id, branch.id, { ref: 'main', novel: 1 }))).toEqual([undefined]);
  });

  test('ends where the branch or the repository is gone, and leaves those of others alone', async () => {
    const table = newOrganization(store.dynamo);
    const archived = await makeRepository(table, 'codehost_a', { status: 'archived', fullName: 'shop/old' });
    const active = await makeRepository(table, 'codehost_a');
    const ofArchived = await makeBranch(table, archived);
    const deleted = await makeBranch(table, active, { name: 'topic', status: 'deleted' });
    const fine = await makeBranch(table, active);
    const scans = [
      scanOf(archived.id, ofArchived.id),
      scanOf(active.id, deleted.id),
      scanOf(active.id, fine.id),
      scanOf(active.id, newId()),
      waiting({}),
    ];
    expect(await refusals(table, ...scans)).toEqual([
      expect.stringContaining('shop/old is archived'),
      'The branch topic was deleted.',
      undefined,
      undefined,
      undefined,
    ]);
    expect(await refusals(table, scanOf(active.id, deleted.id))).toEqual(['The branch topic was deleted.']);
  });
});
