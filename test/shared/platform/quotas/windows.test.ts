import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockOf, countIn } from '#shared/platform/quotas/windows.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { useStore } from '#test/support/store.ts';

const store = useStore();
const window = (source: string) => ({ name: 'test', source, most: 7, seconds: 600 });
const outcomes = async (source: string, n: number) => {
  const counted = await Promise.allSettled(Array.from({ length: n }, () => countIn(store.dynamo, window(source))));
  return counted.map((one) => (one.status === 'fulfilled' ? one.value : one.reason));
};

test('of 200 requests at once exactly the allowed number pass, each with its place', async () => {
  setClock(() => Date.parse('2026-05-01T08:03:20.400Z'));
  const all = await outcomes(newId(), 200);
  const passed = all.filter((one) => typeof one === 'number');
  expect(passed.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  const refused = all.filter((one) => typeof one !== 'number');
  expect(refused).toHaveLength(193);
  for (const one of refused) expect(one).toMatchObject({ code: 'rate_limited', retryAfter: 600 });
});

test('a request passes exactly when fewer than the allowed number passed in the time before it, wherever that time begins', async () => {
  const steps = fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 20, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(steps, async (waits) => {
      const source = newId();
      let at = Date.parse('2026-05-01T08:00:00Z');
      let passed: number[] = [];
      for (const wait of waits) {
        at += wait;
        setClock(() => at);
        passed = passed.filter((time) => time > at - 600_000);
        const [answer] = await outcomes(source, 1);
        if (passed.length === 7) {
          const retryAfter = Math.ceil((Math.min(...passed) + 600_000 - at) / 1000);
          expect(answer).toMatchObject({ code: 'rate_limited', retryAfter });
        } else {
          passed.push(at);
          expect(answer).toBe(passed.length);
        }
      }
    }),
    { numRuns: 15 },
  );
});

test('a window that is used up at its end lets nobody pass at the beginning of the next, and other sources have windows of their own', async () => {
  const source = newId();
  setClock(() => Date.parse('2026-05-01T08:09:59.900Z'));
  await outcomes(source, 7);
  setClock(() => Date.parse('2026-05-01T08:10:00Z'));
  expect(await outcomes(source, 1)).toMatchObject([{ code: 'rate_limited', retryAfter: 600 }]);
  expect(await outcomes(newId(), 1)).toEqual([1]);
  setClock(() => Date.parse('2026-05-01T08:19:59.900Z'));
  const later = await outcomes(source, 200);
  expect(later.filter((one) => typeof one === 'number')).toHaveLength(7);
});

test.each([
  ['198.51.100.7', '198.51.100.0/24'],
  ['198.51.100.255', '198.51.100.0/24'],
  ['::ffff:198.51.100.7', '198.51.100.0/24'],
  ['2001:db8:1:2345::1', '2001:db8:1:2300::/56'],
  ['2001:db8:1:23ff:ffff::', '2001:db8:1:2300::/56'],
  ['2001:db8:1:2400::1', '2001:db8:1:2400::/56'],
  ['', 'unknown'],
  ['fe80::1%eth0', 'unknown'],
])('%s is counted in the block %s', (address, block) => {
  expect(blockOf(address)).toBe(block);
});
