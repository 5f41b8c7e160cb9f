import { expect, test } from 'vitest';
import { Timestamp } from '#shared/platform/http/records.ts';

test.each([
  ['2026-12-01T00:00:00+14:00', '2026-11-30T10:00:00.000Z'],
  ['2026-12-01T00:00:00Z', '2026-12-01T00:00:00.000Z'],
  ['2026-12-01T00:00:00.123456Z', '2026-12-01T00:00:00.123Z'],
  ['2026-12-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ['2026-12-01', '2026-12-01T00:00:00.000Z'],
])('%s is stored in UTC, so that expiries happen at the right moment', (given, kept) => {
  expect(Timestamp.parse(given)).toBe(kept);
});

test.each(['tomorrow', '2026-02-30T00:00:00Z', '2026-02-30', '2026-12', '9999-12-31T23:59:59-23:00'])(
  '%s does not cause a 500',
  (given) => {
    const { success, data } = Timestamp.safeParse(given);
    expect(success ? data : undefined).toBe(given.startsWith('9999') ? given : undefined);
  },
);

test('a caller who sends no time gets an example of a time', () => {
  const [issue] = Timestamp.safeParse('tomorrow').error?.issues ?? [];
  expect(issue?.message).toBe('must be an RFC 3339 time such as 2026-01-15T08:00:00Z, or a date');
});
