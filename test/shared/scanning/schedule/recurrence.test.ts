import { describe, expect, test } from 'vitest';
import { nextOccurrence, occurrencesIn, recurrenceProblem } from '#shared/scanning/schedule/recurrence.ts';

const berlin = { timeZone: 'Europe/Berlin' };

function occurrences(schedule: Parameters<typeof nextOccurrence>[0], after: string, n: number): string[] {
  const found: string[] = [];
  for (let moment: number | undefined = Date.parse(after); found.length < n; ) {
    moment = nextOccurrence(schedule, moment);
    if (moment === undefined) break;
    found.push(new Date(moment).toISOString());
  }
  return found;
}

describe('a recurring engagement', () => {
  test('starts at the same local time before and after the clocks change', () => {
    const schedule = { recurrence: 'FREQ=WEEKLY;BYDAY=SU', startAt: '2025-03-22T23:00:00Z', ...berlin };
    expect(occurrences(schedule, '2025-03-01T00:00:00Z', 4)).toEqual([
      '2025-03-22T23:00:00.000Z',
      '2025-03-29T23:00:00.000Z',
      '2025-04-05T22:00:00.000Z',
      '2025-04-12T22:00:00.000Z',
    ]);
  });

  test('starts once on the day that has its hour twice, and still on the day that skips it', () => {
    const schedule = { recurrence: 'FREQ=DAILY', startAt: '2025-03-29T02:30:00+01:00', ...berlin };
    expect(occurrences(schedule, '2025-03-28T00:00:00Z', 3)).toEqual([
      '2025-03-29T01:30:00.000Z',
      '2025-03-30T01:30:00.000Z',
      '2025-03-31T00:30:00.000Z',
    ]);
    expect(occurrences(schedule, '2025-10-25T12:00:00Z', 2)).toEqual([
      '2025-10-26T00:30:00.000Z',
      '2025-10-27T01:30:00.000Z',
    ]);
  });

  test('ends after its count, and with its last day', () => {
    const startAt = '2025-01-01T08:00:00Z';
    const counted = { recurrence: 'FREQ=DAILY;COUNT=2', startAt, timeZone: 'UTC' };
    expect(occurrences(counted, '2024-12-31T00:00:00Z', 9)).toHaveLength(2);
    const until = { recurrence: 'FREQ=DAILY;UNTIL=20250103T080000Z', startAt, timeZone: 'UTC' };
    expect(occurrences(until, '2024-12-31T00:00:00Z', 9)).toHaveLength(3);
  });

  test('an end in UTC is that moment in every time zone', () => {
    const until = { recurrence: 'FREQ=DAILY;UNTIL=20250102T075959Z', startAt: '2025-01-01T08:00:00Z', ...berlin };
    expect(occurrences(until, '2024-12-31T00:00:00Z', 9)).toEqual(['2025-01-01T08:00:00.000Z']);
  });
});

test('an end that is a date includes that day, and a single start may be now', () => {
  const until = { recurrence: 'FREQ=DAILY;UNTIL=20250103', startAt: '2025-01-02T22:30:00Z', ...berlin };
  expect(occurrences(until, '2024-12-31T00:00:00Z', 9)).toEqual([
    '2025-01-02T22:30:00.000Z',
    '2025-01-03T22:30:00.000Z',
  ]);
  const once = { recurrence: 'FREQ=DAILY;COUNT=1', startAt: '2025-01-01T08:00:00.700Z', timeZone: 'UTC' };
  expect(recurrenceProblem(once, Date.parse(once.startAt))).toBeUndefined();
});

test.each(['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=SU', 'FREQ=DAILY;COUNT=20', 'FREQ=MONTHLY;BYDAY=-1SU'])(
  'the times of %s in a span are the same as one after the other',
  (recurrence) => {
    const schedule = { recurrence, startAt: '2025-03-29T01:30:00Z', ...berlin };
    const [from, to] = ['2025-03-20T00:00:00Z', '2025-11-02T00:00:00Z'].map(Date.parse) as [number, number];
    const wanted = occurrences(schedule, '2025-03-19T23:59:59.999Z', 400).filter((time) => Date.parse(time) < to);
    expect(occurrencesIn(schedule, { from, to }).map((moment) => new Date(moment).toISOString())).toEqual(wanted);
  },
);

describe('a rule that could never start anything is refused at once', () => {
  const problem = (recurrence: string) =>
    recurrenceProblem(
      { recurrence, startAt: '2025-01-01T08:00:00Z', timeZone: 'UTC' },
      Date.parse('2025-06-01T00:00:00Z'),
    );

  test.each([
    'every day',
    'FREQ=SECONDLY',
    'FREQ=HOURLY',
    'FREQ=DAILY;BYMONTH=2',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;COUNT=-1',
    'FREQ=WEEKLY;BYDAY=XX',
    'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;UNTIL=20250501T000000Z',
    'FREQ=DAILY;BYSECOND=1',
    'FREQ=DAILY;COUNT=3;UNTIL=20270101T000000Z',
    'FREQ=YEARLY;INTERVAL=6',
    'DTSTART:20250101T000000Z',
    '=;',
  ])('%s', (recurrence) => {
    expect(problem(recurrence)).toEqual(expect.any(String));
  });

  test.each(['FREQ=DAILY', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;WKST=SU'])(
    '%s is accepted',
    (recurrence) => expect(problem(recurrence)).toBeUndefined(),
  );
});
