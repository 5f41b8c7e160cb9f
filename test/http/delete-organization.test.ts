import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { queueTask } from '#shared/jobs/outbox.ts';
import { taskRows } from '#shared/jobs/task.ts';
import { setClock } from '#shared/runtime/clock.ts';
import { shortId } from '#shared/runtime/ids.ts';
import { callersOf } from '#test/support/every-route.ts';
import { bucketTexts, rowTexts } from '#test/support/everything-stored.ts';
import { engageInPool, newPool, takeTasks } from '#test/support/pools.ts';
import { recordsOf } from '#test/support/records.ts';
import { type TestOrganization, testSystem } from '#test/support/system.ts';
import { finished, until } from '#test/support/wait.ts';

const local = await startLocalSystem({ port: 0, checkResponses: true });
await bootstrap(local.connections);
afterAll(() => local.stop());
afterEach(() => setClock());
const { connections } = local;
const system = testSystem(local.baseUrl, connections);

/** The rows of an organization as they lie, and the keys of its objects. */
async function held({ organizationId }: TestOrganization): Promise<string[]> {
  const rows = (await rowTexts(connections)).filter((row) => row.includes(`"pk":"${shortId(organizationId)}#`));
  const objects = [...(await bucketTexts(connections)).keys()].filter((key) => key.includes(organizationId));
  return [...rows, ...objects].toSorted();
}

/** Once workers, views and timers have had nothing more to write for some seconds. */
async function atRest(organization: TestOrganization): Promise<string[]> {
  for (let [before, equal] = [await held(organization), 0]; ; ) {
    await sleep(1_000);
    const now = await held(organization);
    equal = now.join() === before.join() ? equal + 1 : 0;
    if (equal === 4) return now;
    before = now;
  }
}

/** Functions know credentials for a minute; the last passes come after it. */
async function passQuiet({ table }: TestOrganization, taskId: string): Promise<void> {
  const isWaiting = async () => {
    const task = await table.rows(taskRows).find({ id: taskId }, true);
    return task?.status === 'queued' && task.checkpoint !== undefined;
  };
  await until(isWaiting, Boolean);
  setClock(() => Date.now() + 180_000);
  await sweep(connections);
}

const filled = async (): Promise<TestOrganization> => {
  const organization = await system.newOrganization();
  await recordsOf(await callersOf(organization));
  return organization;
};

test('of a deleted organization nothing is left, in any row or file, and another one has what it had', async () => {
  const [gone, other] = [await filled(), await filled()];
  const provider = await newPool(system, [gone, other]);
  for (const client of [gone, other]) await engageInPool(client, provider.pool.id);
  const before = await atRest(other);
  expect((await held(gone)).length).toBeGreaterThan(500);
  const { table } = provider.provider;
  const { taskId } = await queueTask(connections, table, {
    ...{ operation: 'delete_organization', job: 'maintenance', unit: 'rows and objects' },
    ...{ input: { work: 'delete', organizationId: gone.organizationId }, send: { group: gone.organizationId } },
  });
  expect(await atRest(other)).toEqual(before);
  await passQuiet(provider.provider, taskId);
  const task = await finished(provider.provider.admin, taskId);
  expect(task).toMatchObject({ status: 'succeeded', result: { mentions: {} } });
  expect(await held(gone)).toEqual([]);
  const objects = await bucketTexts(connections);
  const texts = [...(await rowTexts(connections)), ...objects.keys(), ...objects.values()];
  const isNamed = (text: string) => text.includes(gone.organizationId) || text.includes(shortId(gone.organizationId));
  // the request for the deletion, and the audit log of the provider, which cannot be altered
  const kindsOf = (text: string) => /"pk":"[^"#]+#([^"#]+)/.exec(text)?.[1] ?? text.slice(0, 200);
  const left = texts.filter((text) => isNamed(text) && !text.includes(taskId)).map(kindsOf);
  expect(left.filter((kind) => !['change-sheet', 'change-index', 'change-inbox'].includes(kind))).toEqual([]);
  expect(await gone.admin.send('GET', '/api/v1/findings')).toMatchObject({ status: 401 });
  expect(await takeTasks(provider.scanner)).toHaveLength(1);
});

test('staff name the organization that they delete, and neither the provider nor work in progress is deleted', async () => {
  const [client, other] = [await system.newOrganization(), await system.newOrganization()];
  const { provider, staff, pool, scanner } = await newPool(system, [client, other]);
  const params = { id: client.organizationId };
  const body = { name: 'Test organization' };
  expect(await staff.call('deleteOrganization', { params, body: { name: 'Test' } })).toMatchObject({
    body: { code: 'validation_failed' },
  });
  expect(await client.admin.call('deleteOrganization', { params, body })).toMatchObject({ status: 401 });
  const ofProvider = { params: { id: provider.organizationId }, body };
  expect(await staff.call('deleteOrganization', ofProvider)).toMatchObject({ body: { code: 'conflict' } });
  await engageInPool(client, pool.id);
  const [task] = await takeTasks(scanner);
  expect(await staff.call('deleteOrganization', { params, body })).toMatchObject({ body: { code: 'conflict' } });
  await client.admin.ok('cancelScannerTask', { params: { id: task?.id ?? '' } });
  await scanner.client.ok('completeScannerTasks', {
    body: { results: [{ taskId: task?.id ?? '', outcome: 'cancelled', reports: [] }] },
  });
  const { taskId } = await staff.ok('deleteOrganization', { params, body });
  await passQuiet(provider, taskId);
  expect(await finished(staff, taskId)).toMatchObject({ status: 'succeeded' });
  expect(await staff.call('deleteOrganization', { params, body })).toMatchObject({ body: { code: 'not_found' } });
});
