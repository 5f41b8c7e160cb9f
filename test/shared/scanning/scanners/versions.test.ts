import { beforeAll, describe, expect, test } from 'vitest';
import { showTasks } from '#shared/scanning/fleet/show.ts';
import { scanners } from '#shared/scanning/scanners/scanner.ts';
import { knownVersions, versionStatusOf } from '#shared/scanning/scanners/versions.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { newWorld, stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
beforeAll(() => {
  clock = stopClock();
});

const versions = knownVersions({ SCANNER_RECOMMENDED_VERSION: '2.4.0', SCANNER_MINIMUM_VERSION: '2.0' });

describe('what a version is worth', () => {
  test.each([
    ['2.4.0', 'current'],
    ['2.4', 'current'],
    ['v2.10.1', 'current'],
    ['3', 'current'],
    ['2.4.0+build.7', 'current'],
    ['2.4.0-rc.1', 'outdated'],
    ['2.3.99', 'outdated'],
    ['2.0.0', 'outdated'],
    ['2.0-beta', 'unsupported'],
    ['1.99', 'unsupported'],
    ['0', 'unsupported'],
    ['nightly', 'current'],
    ['', 'current'],
    [null, 'current'],
  ])('%s is %s', (version, status) => {
    expect(versionStatusOf(version, versions)).toBe(status);
  });

  test('nothing is old where the deployment declares nothing', () => {
    expect(versionStatusOf('0.0.1', knownVersions({}))).toBe('current');
  });

  test('no advice names a refused version', () => {
    const least = { recommended: '2.0', minimum: '2.0' };
    expect(knownVersions({ SCANNER_MINIMUM_VERSION: '2.0' })).toEqual(least);
    expect(knownVersions({ SCANNER_RECOMMENDED_VERSION: '1.9', SCANNER_MINIMUM_VERSION: '2.0' })).toEqual(least);
  });
});

async function worldWith(softwareVersion: string) {
  const dynamo = store.connect();
  const world = newWorld(dynamo, newOrganization(dynamo));
  const { id } = await world.link({ softwareVersion });
  const read = () => world.table.get(scanners, id);
  return { world, id, read, meter: attachMeter(dynamo) };
}

test('an outdated scanner continues to work, gets the version for its upgrade, and is counted', async () => {
  const { world, id, read } = await worldWith('2.1.0');
  await world.engage(['10.0.0.1']);
  expect(await world.poll(id, { version: '2.1.0' }, versions)).toMatchObject({
    tasks: [{ type: 'network' }],
    upgrade: { recommended: '2.4.0', minimum: '2.0', message: expect.stringContaining('2.4.0') },
  });
  expect(await read()).toMatchObject({ versionStatus: 'outdated' });
  expect(await world.table.facets(scanners)).toMatchObject({ 'version:outdated': 1 });
  await world.expectExactCounters();
});

test('a scanner of a version that is no longer supported finishes what it holds and gets nothing new', async () => {
  const { world, id } = await worldWith('1.9');
  await world.engage(['10.0.0.1', '10.0.0.2']);
  const { tasks } = await world.poll(id);
  const running = tasks.map((task) => ({ taskId: task.id, progress: 0.5 }));
  const told = await world.poll(id, { running, capacity: 5 }, versions);
  expect(told).toMatchObject({ tasks: [], lost: [], upgrade: { minimum: '2.0' } });
  expect(told.pollAfterSeconds).toBeGreaterThanOrEqual(60);
  const { results } = await world.complete(id, [{ taskId: tasks[0]?.id, outcome: 'completed', reports: [] }]);
  expect(results).toMatchObject([{ accepted: true }]);
  await world.expectExactCounters();
});

test('a task that only unsupported scanners could do says that nobody takes it', async () => {
  const { world, id } = await worldWith('1.9');
  await world.poll(id, {}, versions);
  await world.engage(['10.0.0.1']);
  expect(await showTasks(world.table, await world.tasks())).toMatchObject([{ waitingReason: 'no_scanner_in_zone' }]);
});

test('a scanner that was upgraded gets tasks with its next poll', async () => {
  const { world, id, read } = await worldWith('1.9');
  await world.engage(['10.0.0.1']);
  await world.poll(id, { version: '1.9' }, versions);
  const upgraded = await world.poll(id, { version: '2.4.0' }, versions);
  expect(upgraded.tasks).toHaveLength(1);
  expect(upgraded).not.toHaveProperty('upgrade');
  expect(await read()).toMatchObject({ softwareVersion: '2.4.0', versionStatus: 'current' });
});

test('a deployment that changes its versions mends every scanner with its next poll, once', async () => {
  const { world, id, read, meter } = await worldWith('2.1.0');
  await world.poll(id);
  expect(await read()).toMatchObject({ versionStatus: 'current' });
  clock.pass(30);
  await world.poll(id, {}, versions);
  expect(await read()).toMatchObject({ versionStatus: 'outdated' });
  clock.pass(30);
  const idle = await meter.measure(() => world.poll(id, {}, versions));
  expect(idle).toMatchObject({ roundTrips: 1, writeUnits: 0 });
  expect(idle.readUnits).toBeLessThanOrEqual(1);
  await world.expectExactCounters();
});
