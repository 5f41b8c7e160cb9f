import { afterEach, expect, test } from 'vitest';
import { linkChanges, nextCheck, settledStatus } from '#shared/findings/triage/remediations.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';

afterEach(() => setClock());

const ids = (count: number) => Array.from({ length: count }, (_, n) => `r${n}`);

test('a finding belongs to ten remediations at most, and can leave them whatever their number', () => {
  expect(linkChanges({ remediationIds: ids(9) }, 'next', true)).toEqual({ remediationIds: [...ids(9), 'next'] });
  expect(() => linkChanges({ remediationIds: ids(10) }, 'next', true)).toThrow(
    expect.objectContaining({
      code: 'conflict',
      message: 'A finding has at most 10 remediations, and nobody raises this limit: leave one first.',
    }),
  );
  expect(linkChanges({ remediationIds: ids(10) }, 'r3', true)).toBeUndefined();
  expect(linkChanges({ remediationIds: ids(10) }, 'r9', false)).toEqual({ remediationIds: ids(9) });
  expect(linkChanges({ remediationIds: ids(2) }, 'r1', false)).toEqual({ remediationIds: ids(1) });
  expect(linkChanges({ remediationIds: ids(1) }, 'r0', false)).toEqual({ remediationIds: undefined });
  expect(linkChanges({}, 'r0', false)).toBeUndefined();
});

const progress = (total: number, fixedByScan: number) => ({ total, fixed: total, fixedByScan });

test.each([
  ['done', progress(2, 2), 'verified'],
  ['done', progress(1, 1), 'verified'],
  ['done', progress(2, 1), 'done'],
  ['done', progress(0, 0), 'done'],
  ['verified', progress(2, 2), 'verified'],
  ['verified', progress(2, 1), 'in_progress'],
  ['verified', progress(0, 0), 'in_progress'],
  ['planned', progress(2, 2), 'planned'],
  ['in_progress', progress(2, 2), 'in_progress'],
  ['in_progress', progress(2, 1), 'in_progress'],
] as const)('a remediation that is %s with %o is %s', (status, of, settled) => {
  expect(settledStatus(status, of)).toBe(settled);
});

test('what is done or verified is looked at within an hour, and a look that is planned stays', () => {
  setClock(() => Date.parse('2026-03-10T12:00:00Z'));
  for (const status of ['done', 'verified'] as const) {
    expect(nextCheck({ status })).toBe('2026-03-10T13:00:00.000Z');
    expect(nextCheck({ status, checkAt: '2026-03-10T12:10:00.000Z' })).toBe('2026-03-10T12:10:00.000Z');
  }
  for (const status of ['planned', 'in_progress'] as const)
    expect(nextCheck({ status, checkAt: '2026-03-10T12:10:00.000Z' })).toBeUndefined();
});
