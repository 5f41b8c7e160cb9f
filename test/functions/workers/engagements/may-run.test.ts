import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { scanCredentials } from '#shared/scanning/scan-credentials/scan-credential.ts';
import { requestEngagement, runWorker } from '../../../support/engagement-worker.ts';
import { putPool } from '../../../support/scanning.ts';
import { newWorld, type World } from '../../../support/scanning-world.ts';
import { type Store, startStore } from '../../../support/store.ts';

/** An older release stored what this one refuses at the edge. */
let store: Store;
let client: World;
beforeEach(async () => {
  store = await startStore();
  client = newWorld(store.dynamo);
});
afterEach(() => store.stop());

async function runOf(targets: string[], more: object = {}) {
  const { engagement, task } = await requestEngagement(client, { targets, more });
  const outcome = await runWorker(client, task.id).catch(({ code }) => code);
  const { status, lastRun } = await client.table.get(engagements, engagement.id);
  return { outcome, status, reason: lastRun?.statusReason, tasks: (await client.tasks()).length };
}

test('a stored target that tools read as several addresses is not scanned, and the run names it', async () => {
  const failed = await runOf(['10.0.0.1', '10.0.0.1-9']);
  expect(failed).toEqual({
    outcome: 'validation_failed',
    status: 'failed',
    reason: expect.stringContaining('targets.1.value'),
    tasks: 0,
  });
});

test('a credential that is bound elsewhere is not released because an older release approved its engagement', async () => {
  const { id } = await client.table.create(scanCredentials, {
    name: 'Backup',
    kind: 'ssh',
    description: null,
    username: 'backup',
    domain: null,
    targets: [{ type: 'host', value: '10.0.0.7', zone: null }],
    zones: [],
    secretFields: ['password'],
    secretUpdatedAt: '2026-01-01T00:00:00Z',
  });
  const credentialIds = [id];
  expect(await runOf(['10.0.0.7'], { credentialIds })).toMatchObject({ outcome: { scannerTasks: 1 }, tasks: 1 });
  const failed = await runOf(['10.0.0.7', '10.0.0.8'], { credentialIds });
  expect(failed).toMatchObject({ outcome: 'conflict', status: 'failed', tasks: 1 });
  expect(failed.reason).toContain('The credential Backup is not bound to all targets');
});

test('parameters that an older release took for harmless do not exploit anything without the permission', async () => {
  const parameters = { network: { scripts: 'exploit' } };
  const failed = await runOf(['10.0.0.1'], { parameters });
  const reason = expect.stringContaining('parameters.network.scripts');
  expect(failed).toEqual({ outcome: 'validation_failed', status: 'failed', reason, tasks: 0 });
  const allowed = { parameters, rulesOfEngagement: { allowExploitation: true } };
  expect(await runOf(['10.0.0.1'], allowed)).toMatchObject({ tasks: 1 });
});

test('a stored target in a private network is not scanned by a shared pool', async () => {
  const poolId = newId();
  await putPool(store.dynamo, { poolId, providerId: newId() });
  const failed = await runOf(['192.0.2.1', '10.0.0.7'], { publicScannerGroupId: poolId });
  expect(failed).toEqual({
    outcome: 'conflict',
    status: 'failed',
    reason: expect.stringContaining('10.0.0.7 must be of the public network'),
    tasks: 0,
  });
});
