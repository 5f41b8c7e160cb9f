import { afterAll, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import { keysPage } from '#shared/platform/runtime/bucket-parts.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { unzipped, zipped } from '#shared/platform/runtime/gzip.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { objectsPrefix } from '#shared/platform/table/upkeep/copies.ts';
import { expectExact } from '../../../support/verify.ts';
import { makeVictim } from '../imports/crash.ts';
import { allFindings } from '../imports/expectations.ts';
import { codeScan, problems, sarif } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
const victim = await makeVictim(world.connections);
afterAll(() => world.stop());
const { connections } = world;

async function named() {
  const all = openTable(connections.dynamo, GLOBAL_SCOPE);
  const { id } = await all.create(organizations, { name: 'Acme' });
  return openTable(connections.dynamo, id);
}

test('a copy and a restoration whose worker dies at any write end as those that nobody disturbed', async () => {
  const provider = world.newOrganization();
  const ask = (work: 'copy' | 'restore', input: { organizationId: string; copyId?: string }) =>
    queueTask(
      { connections, table: provider },
      {
        operation: `${work}_organization`,
        job: 'maintenance',
        unit: 'rows and objects',
        input: { work, ...input },
        send: { group: input.organizationId },
      },
    );
  const dieAt = async (write: number) => {
    victim.killAt(write, write % 2 === 0 ? 'before' : 'after');
    await world.deliver().catch(() => undefined);
    const died = victim.isDead();
    victim.restart();
    await world.drain();
    return Number(died);
  };
  let died = 0;
  for (const write of [1, 2, 3, 5, 8, 13, 21, 34]) {
    const { organizationId } = await named();
    const client = openTable(connections.dynamo, organizationId);
    await world.ingest(client, codeScan(sarif(problems(30))));
    const before = await allFindings({ connections, table: client });
    const { taskId: copyId } = await ask('copy', { organizationId });
    died += await dieAt(write);
    expect(await world.task(provider, copyId)).toMatchObject({ status: 'succeeded', result: { copyId } });
    await world.ingest(client, codeScan(sarif(problems(3))));

    const { taskId } = await ask('restore', { organizationId, copyId });
    died += await dieAt(write);
    setClock(() => Date.now() + 180_000);
    await sweep(connections);
    died += await dieAt(write);
    setClock();
    expect(await world.task(provider, taskId)).toMatchObject({ status: 'succeeded', result: { taken: {} } });
    expect(await allFindings({ connections, table: client })).toEqual(before);
    await expectExact(client, [findings]);
    // the next report closes what it does not find, as it would have then
    await world.ingest(client, codeScan(sarif(problems(29))));
    const open = (await allFindings({ connections, table: client })).filter(({ status }) => status === 'open');
    expect(open).toHaveLength(29);
  }
  expect(died).toBeGreaterThan(12);
});

/** The first object of the organization in a copy of it. */
async function aStateOf(organizationId: string, copyId: string) {
  const prefix = objectsPrefix({ organizationId, copyId });
  const [key = ''] = await keysPage(connections.bucket, { prefix, after: undefined });
  return { key, bytes: (await connections.bucket.get(key)) ?? Buffer.of() };
}

test('a copy whose files are damaged or missing fails before anything of the organization is touched', async () => {
  const provider = world.newOrganization();
  const { organizationId } = await named();
  const client = openTable(connections.dynamo, organizationId);
  await world.ingest(client, codeScan(sarif(problems(3))));
  const before = await allFindings({ connections, table: client });
  const ask = async (work: 'copy' | 'restore', copyId?: string) => {
    const { taskId } = await queueTask(
      { connections, table: provider },
      {
        operation: `${work}_organization`,
        job: 'maintenance',
        unit: 'rows and objects',
        input: { work, organizationId, copyId },
        send: { group: organizationId },
      },
    );
    await world.drain();
    return world.task(provider, taskId);
  };
  expect(await ask('restore', organizationId)).toMatchObject({ error: { code: 'copy_missing' } });
  const { id: copyId } = await ask('copy');
  const file = `organization-copies/${organizationId}/${copyId}/rows/000000.jsonl.gz`;
  const lines = (await unzipped((await connections.bucket.get(file)) ?? Buffer.of())).split('\n');
  const state = await aStateOf(organizationId, copyId);
  await connections.bucket.put(state.key, 'another state');
  expect(await ask('restore', copyId)).toMatchObject({ error: { code: 'copy_damaged' } });
  await connections.bucket.remove([state.key]);
  expect(await ask('restore', copyId)).toMatchObject({ error: { code: 'copy_damaged' } });
  await connections.bucket.put(state.key, state.bytes);
  await connections.bucket.put(file, await zipped(lines.slice(1).join('\n')));
  expect(await ask('restore', copyId)).toMatchObject({ status: 'failed', error: { code: 'copy_damaged' } });
  await connections.bucket.remove([file]);
  expect(await ask('restore', copyId)).toMatchObject({ status: 'failed', error: { code: 'copy_damaged' } });
  expect(await allFindings({ connections, table: client })).toEqual(before);
});
