import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { countRequest, useInMemory, whileHeld } from '#shared/platform/http/fair-use.ts';
import { limitRows } from '#shared/platform/quotas/limits.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { injectFaults } from '../../../support/faults.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
let ours: Table;
beforeEach(() => {
  stopClock();
  ours = newOrganization(store.dynamo);
});

const settled = async (calls: Promise<unknown>[]) => {
  const ends = await Promise.allSettled(calls);
  return {
    taken: ends.filter(({ status }) => status === 'fulfilled').length,
    errors: ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : [])),
  };
};

describe('the requests of a second', () => {
  test('are at most the limit, for each organization separately', async () => {
    const theirs = newOrganization(store.dynamo);
    await ours.rows(limitRows).put({ requestsPerSecond: 10 });
    const ask = ({ organizationId }: Table) => countRequest(store.dynamo, organizationId);
    expect(useInMemory(ours.organizationId)).toEqual({ requestsPerSecond: 0, heldRequests: 0 });
    await ask(ours);
    const { taken, errors } = await settled(Array.from({ length: 60 }, () => ask(ours)));
    // 9 more of this second, and up to 10 of the next if that begins meanwhile
    expect(taken).toBeGreaterThanOrEqual(9);
    expect(taken).toBeLessThanOrEqual(20);
    expect(errors[0]).toMatchObject({
      code: 'limit_exceeded',
      details: [{ path: 'requestsPerSecond', message: '10 of 10' }],
      message: expect.stringMatching(
        /and 1 more is needed\..* at the latest at 2025-03-03T10:00:0[01]\.\d{3}Z\. Administrators get a higher limit by another plan, .*$/,
      ),
    });
    expect((await settled(Array.from({ length: 5 }, () => ask(theirs)))).taken).toBe(5);
  });

  test('are counted to the end of the second, which a refusal names, and start again in the next', async () => {
    await ours.rows(limitRows).put({ requestsPerSecond: 10 });
    let at = Math.ceil(performance.now()) + 10_000;
    const time = vi.spyOn(performance, 'now').mockImplementation(() => at);
    onTestFinished(() => time.mockRestore());
    const ask = () => countRequest(store.dynamo, ours.organizationId);
    const refusedUntil = (until: string) =>
      expect(ask()).rejects.toMatchObject({
        message: expect.stringContaining(`at the latest at 2025-03-03T10:00:${until}Z.`),
      });
    for (let n = 0; n < 10; n++) await ask();
    await refusedUntil('01.000');
    at += 400;
    await refusedUntil('00.600');
    at += 599;
    await refusedUntil('00.001');
    expect(useInMemory(ours.organizationId)).toMatchObject({ requestsPerSecond: 10 });
    at += 1;
    expect(useInMemory(ours.organizationId)).toMatchObject({ requestsPerSecond: 0 });
    for (let n = 0; n < 10; n++) await ask();
    await refusedUntil('01.000');
  });

  test('are answered without a look at the limit while they are few', async () => {
    const dynamo = store.connect();
    let reads = 0;
    injectFaults(dynamo, { random: () => 1, before: () => void reads++ });
    await settled(Array.from({ length: 10 }, () => countRequest(dynamo, ours.organizationId)));
    expect(reads).toBe(0);
  });
});

describe('requests that wait', () => {
  const hold = (respond: () => Promise<unknown>, { organizationId }: Table = ours) =>
    whileHeld(store.dynamo, { organizationId, seconds: 20 }, respond);
  const used = () => useInMemory(ours.organizationId).heldRequests;

  test('are as many as the limit says, and each that ends or fails gives its place back', async () => {
    await ours.rows(limitRows).put({ heldRequests: 2 });
    const ends: ((error?: Error) => void)[] = [];
    const wait = () =>
      hold(() => new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve('answer')))));
    const [one, two] = [wait(), wait()];
    await expect.poll(used).toBe(2);
    await expect(wait()).rejects.toMatchObject({
      details: [{ path: 'heldRequests', message: '2 of 2' }],
      message: expect.stringMatching(
        /: 2 of 2 are used, and 1 more is needed\..* at the latest at 2025-03-03T10:00:20\.000Z\. Administrators get a higher limit by another plan, .*$/,
      ),
    });
    expect(await hold(async () => 'theirs', newOrganization(store.dynamo))).toBe('theirs');
    ends[0]?.();
    expect([await one, used()]).toEqual(['answer', 1]);
    expect(await hold(async () => used())).toBe(2);
    ends[1]?.(new Error('no answer'));
    await expect(two).rejects.toThrow('no answer');
    expect(used()).toBe(0);
  });
});
