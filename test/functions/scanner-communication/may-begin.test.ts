import { expect, test } from 'vitest';
import { engagements } from '#shared/entities/engagement.ts';
import { type ScannerTask, scannerTasks } from '#shared/entities/scanner-task.ts';
import { newId } from '#shared/runtime/ids.ts';
import { putPool } from '#test/support/scanning.ts';
import { newWorld } from '#test/support/scanning-world.ts';
import { useStore } from '#test/support/store.ts';

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
