import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planHours } from '#functions/scanning/agents/hours.ts';
import { windowOf } from '#functions/scanning/agents/window.ts';
import { osTally, readOsTally } from '#shared/assets/asset/operating-system.ts';
import { inOneForm, partDigest } from '#shared/assets/inventory/part.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { packMeasured, unpackMeasured } from '#shared/scanning/agents/packed-sample.ts';

const now = Date.parse('2025-03-03T10:20:30Z');
beforeAll(() => setClock(() => now));
afterAll(() => setClock());

describe('hours', () => {
  test.each([
    [
      'the first samples open their hour',
      { openHour: 0, closedHours: [] },
      [7],
      { openHour: 7, fold: [], closedHours: [] },
    ],
    [
      'more of the same hour fold nothing',
      { openHour: 7, closedHours: [] },
      [7],
      { openHour: 7, fold: [], closedHours: [] },
    ],
    ['the next hour closes it', { openHour: 7, closedHours: [] }, [7, 8], { openHour: 8, fold: [7], closedHours: [7] }],
    [
      'a closed one is folded once more',
      { openHour: 8, closedHours: [7] },
      [8],
      { openHour: 8, fold: [7], closedHours: [] },
    ],
    [
      'a late sample is folded at once',
      { openHour: 8, closedHours: [] },
      [3],
      { openHour: 8, fold: [3], closedHours: [] },
    ],
    ['without samples nothing opens', { openHour: 8, closedHours: [] }, [], { openHour: 8, fold: [], closedHours: [] }],
  ])('%s', (_, before, touched, planned) => {
    expect(planHours(before, touched, true)).toEqual(planned);
  });

  test('closed hours that are not stored yet stay for the next report', () => {
    const before = { openHour: 8, closedHours: [7] };
    expect(planHours(before, [8], false)).toEqual({ openHour: 8, fold: [], closedHours: [7] });
  });
});

describe('the window of a history', () => {
  const seconds = (time: string) => Date.parse(time) / 1000;
  test.each([
    ['the last day by the hour', {}, 'hour', '2025-03-02T10:00:00Z'],
    ['six hours by the minute', { from: '2025-03-03T05:00:10Z' }, 'minute', '2025-03-03T05:00:00Z'],
    [
      'an hour of last week by the hour',
      { from: '2025-02-24T05:10:00Z', to: '2025-02-24T06:10:00Z' },
      'hour',
      '2025-02-24T05:00:00Z',
    ],
    ['a month by the day', { from: '2025-02-03T05:00:00Z' }, 'day', '2025-02-03T00:00:00Z'],
    [
      'an hour of last year by the day',
      { from: '2024-06-03T05:00:00Z', to: '2024-06-03T06:00:00Z' },
      'day',
      '2024-06-03T00:00:00Z',
    ],
  ])('%s', (_, asked, resolution, from) => {
    expect(windowOf({ ...asked, resolution: 'auto' })).toMatchObject({ resolution, from: seconds(from) });
  });

  test('a window of any length gives an answer that is bounded by what is kept', () => {
    for (const [resolution, unit, most] of [
      ['minute', 60, 2_942],
      ['hour', 3_600, 723],
      ['day', 86_400, 402],
    ] as const) {
      const { from, to } = windowOf({ from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', resolution });
      expect((to - from) / unit).toBeLessThanOrEqual(most);
    }
  });
});

test('a sample survives its packing to a hundredth of a percent and a byte', () => {
  const share = fc.option(fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100));
  const bytes = fc.option(fc.nat({ max: 2 ** 31 - 1 }).map((value) => value * 400));
  const sample = fc.record({
    cpuPercent: share,
    memoryPercent: share,
    diskPercent: share,
    rxBytes: bytes,
    txBytes: bytes,
  });
  fc.assert(
    fc.property(sample, (measured) => {
      expect(unpackMeasured(5, packMeasured({ at: 5, ...measured }))).toEqual({ at: 5, ...measured });
    }),
  );
});

test('an impossible measurement is cut to its limit and does not refuse the others', () => {
  const wild = { at: 0, cpuPercent: 100.4, memoryPercent: -1, rxBytes: -5, txBytes: 1e20 };
  expect(unpackMeasured(0, packMeasured(wild))).toEqual({
    at: 0,
    cpuPercent: 100,
    memoryPercent: 0,
    diskPercent: null,
    rxBytes: 0,
    txBytes: 1e12,
  });
});

test('software in another order, or named twice, is the same inventory', () => {
  const [a, b] = [
    { name: 'a', version: '1' },
    { name: 'b', version: '2', vendor: null },
  ];
  expect(inOneForm({ software: [b, a, b] })).toEqual(inOneForm({ software: [a, b] }));
  expect(partDigest({ software: [a] })).not.toBe(partDigest({ software: [b] }));
});

test('an operating system is counted under one name, whatever its text', () => {
  const [tally] = osTally({ family: 'linux', name: ' Debian \n GNU ', version: null });
  expect(readOsTally(tally?.value ?? null)).toEqual({ family: 'linux', name: 'Debian GNU', version: null });
  const [long] = osTally({ family: 'windows', name: '漢'.repeat(255), version: '語'.repeat(255) });
  expect(Buffer.byteLength(long?.value ?? '')).toBeLessThan(1_000);
});
