import { beforeEach, describe, expect, test } from 'vitest';
import { completeAsAppliance } from '#functions/apex/apex-communication/complete.ts';
import { publicUsageOf } from '#shared/apex/public.ts';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { taskFiles } from '#shared/ingest/submission.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openPools } from '#shared/scanning/scanner-tasks/pools.ts';
import { usages } from '#shared/scanning/scanner-tasks/usage.ts';
import { type ApexWorld, newApexWorld } from '../../../support/apex-world.ts';
import { giveTask } from '../../../support/held-task.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
let world: ApexWorld;
beforeEach(async () => {
  world = await newApexWorld(store.dynamo);
  await world.take(0);
});

/** A task that the appliance holds. */
const hold = async (more: object = {}) => (await giveTask(world.table, world.applianceId, more)).id;

async function complete(taskId: string, more: object = {}) {
  const { connections, table, applianceId: machineId } = world;
  const { results } = await completeAsAppliance({ connections, table, machineId }, [
    { taskId, outcome: 'completed', ...more },
  ]);
  return results[0];
}

const reports = (count: number) => Array.from({ length: count }, () => ({ format: 'apex', content: '[]' }));
const host = (value: string, zone: string | null): ScanTarget => ({ type: 'host', value, zone });

test('a task that is done says so, and keeps what its appliance found out', async () => {
  const id = await hold();
  const output = { hosts: 1 };
  expect(await complete(id, { summary: 'One weak login.', output })).toMatchObject({ accepted: true });
  expect(await world.read(id)).toMatchObject({
    status: 'completed',
    progress: { fraction: 1 },
    ingestTaskIds: [],
    result: { summary: 'One weak login.', output, artifacts: [] },
  });
  const silent = await hold();
  await complete(silent);
  expect((await world.read(silent)).result).toEqual({ summary: null, output: null, artifacts: [] });
});

test('a task names the last ten of the tasks that read its reports', async () => {
  const earlier = Array.from({ length: 9 }, () => newId());
  const id = await hold({ ingestTaskIds: earlier });
  const answer = await complete(id, { reports: reports(2) });
  expect(answer?.ingestTaskIds).toHaveLength(2);
  expect((await world.read(id)).ingestTaskIds).toEqual([...earlier.slice(1), ...(answer?.ingestTaskIds ?? [])]);
});

describe('the findings of a report', () => {
  /** The zone in which the ingest looks for what a task of these targets reports. */
  async function zoneOf(targets: ScanTarget[], zone: string | null) {
    const answer = await complete(await hold({ targets, zone }), { reports: reports(1) });
    const { submission } = taskFiles(world.table.organizationId, answer?.ingestTaskIds?.[0] ?? '');
    const stored = await world.connections.bucket.get(submission);
    return JSON.parse(String(stored)).zone;
  }

  test('lie in the only zone of the targets, else in that of the task', async () => {
    expect(await zoneOf([host('10.0.0.1', 'dmz'), host('10.0.0.2', 'dmz')], 'office')).toBe('dmz');
    expect(await zoneOf([host('10.0.0.1', null)], 'office')).toBe(null);
    expect(await zoneOf([host('10.0.0.1', 'dmz'), host('10.0.0.2', null)], 'office')).toBe('office');
    expect(await zoneOf([], 'office')).toBe('office');
  });
});

test('an artifact that is no upload keeps a task from its completion, and not from its failure', async () => {
  const id = await hold();
  const artifacts = [{ name: 'screen', mediaType: 'image/png', uploadId: newId() }];
  const refused = await complete(id, { artifacts });
  expect(refused).toMatchObject({ accepted: false, message: expect.stringMatching(/^artifacts: /) });
  expect(await world.read(id)).toMatchObject({ status: 'running' });
  expect(await complete(id, { outcome: 'failed', artifacts })).toMatchObject({ accepted: true });
  expect(await world.read(id)).toMatchObject({ status: 'pending', error: { code: 'task_failed' } });
});

test('a task on a public appliance that is done makes room for another', async () => {
  const { organizationId: owner } = world.table;
  await openPools(store.dynamo).rows(usages).put({ groupId: 'public-apex', owner, running: 5 });
  await complete(await hold({ usePublicApex: true }));
  await complete(await hold());
  expect(await publicUsageOf(world.table)).toBe(4);
});
