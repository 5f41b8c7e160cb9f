import { beforeEach, describe, expect, test } from 'vitest';
import { now } from '#shared/platform/runtime/clock.ts';
import { scannerPresences } from '#shared/scanning/fleet/presence.ts';
import { scanners } from '#shared/scanning/scanners/scanner.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
let world: World;
let id: string;
beforeEach(async () => {
  clock = stopClock();
  world = newWorld(store.dynamo);
  ({ id } = await world.link());
});

const read = () => world.table.get(scanners, id, true);
const idle = { capacity: 0 };

/** Whether a poll with nothing to do is recorded: what it says is news. */
async function isNews(body: object, versions?: Parameters<World['poll']>[2]): Promise<boolean> {
  const rev = async () => (await world.table.rows(scannerPresences).find({ machineId: id }, true))?.rev;
  const before = await rev();
  await world.poll(id, { ...idle, ...body }, versions);
  return (await rev()) !== before;
}

describe('what a scanner says of itself', () => {
  test('is kept with its address and its first call, and what it does not say stays', async () => {
    const firstSeenAt = now();
    await world.poll(id, { ...idle, version: '1.0', taskTypes: ['network', 'web'] });
    const said = { softwareVersion: '1.0', supportedTaskTypes: ['network', 'web'], remoteAddress: '192.0.2.1' };
    expect(await read()).toMatchObject({ firstSeenAt, ...said, status: 'online' });
    clock.pass(10);
    await world.poll(id, { ...idle, version: '1.1' });
    expect(await read()).toMatchObject({ firstSeenAt, ...said, softwareVersion: '1.1' });
    await world.poll(id, { ...idle, taskTypes: ['web'] });
    expect(await read()).toMatchObject({ firstSeenAt, softwareVersion: '1.1', supportedTaskTypes: ['web'] });
  });

  test('is news when it differs from what is known', async () => {
    const said = { version: '1.0', taskTypes: ['network', 'web'] };
    expect(await isNews(said)).toBe(true);
    expect(await isNews(said)).toBe(false);
    expect(await isNews({})).toBe(false);
    expect(await isNews({ taskTypes: ['network', 'web', 'novel'] })).toBe(false);
    expect(await isNews({ taskTypes: ['network'] })).toBe(true);
    expect(await isNews({ version: '1.1' })).toBe(true);
  });

  test('is compared again when the versions of the deployment change, and the answer asks for an upgrade', async () => {
    await world.poll(id, { ...idle, version: '1.5' });
    const versions = { recommended: '2.0', minimum: '1.0' };
    expect(await isNews({}, versions)).toBe(true);
    expect(await isNews({}, versions)).toBe(false);
    expect(await read()).toMatchObject({ versionStatus: 'outdated' });
    const outdated = await world.poll(id, idle, versions);
    expect(outdated.upgrade).toMatchObject({ recommended: '2.0', minimum: '1.0' });
    await world.engage(['10.0.0.1']);
    const strict = { recommended: '2.0', minimum: '1.6' };
    expect(await world.poll(id, { capacity: 1 }, strict)).toMatchObject({ tasks: [], upgrade: { minimum: '1.6' } });
    const current = await world.poll(id, { capacity: 1, version: '2.0' }, strict);
    expect(current.tasks).toHaveLength(1);
    expect(current.upgrade).toBeUndefined();
  });
});

test('how far a scanner is with a task is kept with its lease', async () => {
  await world.engage(['10.0.0.1']);
  const [task] = (await world.poll(id)).tasks;
  const taskId = task?.id ?? '';
  clock.pass(61);
  await world.poll(id, { ...idle, running: [{ taskId, progress: 0.5 }] });
  const presence = await world.table.rows(scannerPresences).find({ machineId: id }, true);
  expect(presence?.leases[taskId]).toMatchObject({ progress: 0.5, attempt: 1 });
});

test('a poll takes ten tasks, and a scanner holds thirty', async () => {
  await world.engage(Array.from({ length: 45 }, (_, n) => `10.0.0.${n + 1}`));
  const counts: number[] = [];
  for (let n = 0; n < 4; n++) counts.push((await world.poll(id, { capacity: 50 })).tasks.length);
  expect(counts).toEqual([10, 10, 10, 0]);
});
