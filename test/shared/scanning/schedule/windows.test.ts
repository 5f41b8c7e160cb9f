import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAYS } from '#shared/scanning/schedule/engagement-schedule.ts';
import { momentOf, wallTimeOf } from '#shared/scanning/schedule/wall-clock.ts';
import { nextBoundary, openUntil } from '#shared/scanning/schedule/windows.ts';

const at = (time: string): number => Date.parse(time);
const iso = (moment: number | undefined): string | undefined =>
  moment === undefined ? undefined : new Date(moment).toISOString();
const berlin = { timeZone: 'Europe/Berlin' };
const night = { days: ['fri' as const], from: '22:00', to: '05:00', ...berlin };

describe('the clocks of a place', () => {
  test.each([
    ['a usual time', '2025-01-10T03:00:00Z', '2025-01-10T02:00:00.000Z'],
    ['a time that the clocks skip is read with the offset before', '2025-03-30T02:30:00Z', '2025-03-30T01:30:00.000Z'],
    ['a time that comes twice is the first', '2025-10-26T02:30:00Z', '2025-10-26T00:30:00.000Z'],
  ])('%s', (_, wall, moment) => {
    expect(iso(momentOf(at(wall), 'Europe/Berlin'))).toBe(moment);
  });

  test('a moment survives the way to its wall time and back, except in the hour that comes twice', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];
    const seconds = fc.integer({ min: at('2020-01-01T00:00:00Z') / 1000, max: at('2030-01-01T00:00:00Z') / 1000 });
    fc.assert(
      fc.property(seconds, fc.constantFrom(...zones), (second, zone) => {
        const moment = second * 1000;
        const back = momentOf(wallTimeOf(moment, zone), zone);
        expect([0, 1_800_000, 3_600_000]).toContain(moment - back);
      }),
    );
  });
});

describe('windows', () => {
  test('a window that crosses midnight belongs to the day on which it begins', () => {
    expect(openUntil([night], at('2025-01-10T21:30:00Z'))).toBe(at('2025-01-11T04:00:00Z'));
    expect(openUntil([night], at('2025-01-11T03:59:59Z'))).toBe(at('2025-01-11T04:00:00Z'));
    expect(openUntil([night], at('2025-01-11T21:30:00Z'))).toBeUndefined();
    expect(openUntil([night], at('2025-01-10T03:00:00Z'))).toBeUndefined();
  });

  test('the first moment of a window is open, its last moment is not', () => {
    expect(openUntil([night], at('2025-01-10T21:00:00Z'))).toBeDefined();
    expect(openUntil([night], at('2025-01-10T20:59:59Z'))).toBeUndefined();
    expect(openUntil([night], at('2025-01-11T04:00:00Z'))).toBeUndefined();
  });

  test('a window keeps its local times when the clocks change', () => {
    const sunday = { days: ['sun' as const], from: '01:00', to: '04:00', ...berlin };
    expect(iso(openUntil([sunday], at('2025-03-30T00:30:00Z')))).toBe('2025-03-30T02:00:00.000Z');
    expect(iso(openUntil([sunday], at('2025-10-26T00:00:00Z')))).toBe('2025-10-26T03:00:00.000Z');
  });

  test('a window within the skipped hour does not open on that day', () => {
    const skipped = { days: ['sun' as const], from: '02:00', to: '03:00', ...berlin };
    const open = [0, 15, 30, 45, 59].map((minute) =>
      openUntil([skipped], at('2025-03-30T00:59:00Z') + minute * 60_000),
    );
    expect(open).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  test('a window that misses a week in the skipped hour is found in the next week', () => {
    const skipped = { days: ['sun' as const], from: '02:00', to: '03:00', ...berlin };
    expect(iso(nextBoundary([skipped], at('2025-03-23T02:00:00Z')))).toBe('2025-04-06T00:00:00.000Z');
  });

  test('windows that touch or overlap are one, so that tasks are not stopped between them', () => {
    const evening = { days: ['fri' as const], from: '18:00', to: '22:00', ...berlin };
    expect(openUntil([night, evening], at('2025-01-10T18:00:00Z'))).toBe(at('2025-01-11T04:00:00Z'));
  });

  test('the scheduler wakes at every opening and closing, and at nothing else', () => {
    const moments: (string | undefined)[] = [];
    for (let moment = at('2025-01-09T00:00:00Z'), n = 0; n < 4; n++) {
      moment = nextBoundary([night], moment) ?? 0;
      moments.push(iso(moment));
    }
    expect(moments).toEqual([
      '2025-01-10T21:00:00.000Z',
      '2025-01-11T04:00:00.000Z',
      '2025-01-17T21:00:00.000Z',
      '2025-01-18T04:00:00.000Z',
    ]);
    expect(nextBoundary([], 0)).toBeUndefined();
  });

  test('between two boundaries nothing changes, whatever the windows', () => {
    const time = fc.tuple(fc.nat({ max: 23 }), fc.nat({ max: 59 }));
    const text = ([h, m]: [number, number]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`;
    const window = fc.record({
      days: fc.subarray([...DAYS], { minLength: 1 }),
      from: time.map(text),
      to: time.map(text),
      timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
    });
    const moment = fc.integer({ min: at('2025-03-01T00:00:00Z'), max: at('2025-04-30T00:00:00Z') });
    fc.assert(
      fc.property(
        fc.array(window, { minLength: 1, maxLength: 3 }),
        moment,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (windows, from, share) => {
          const next = nextBoundary(windows, from);
          if (next === undefined) return;
          expect(next).toBeGreaterThan(from);
          const between = Math.floor(from + (next - from) * share);
          expect(openUntil(windows, between) === undefined).toBe(openUntil(windows, from) === undefined);
        },
      ),
      { numRuns: 300 },
    );
  });
});
