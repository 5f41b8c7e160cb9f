import { expect, test } from 'vitest';
import { canMove, FINDING_STATUSES, moveStatus, repairOf } from '#shared/entities/finding-status.ts';

test('a scan opens and closes, and leaves what a person decided', () => {
  const moves = FINDING_STATUSES.map((from) =>
    FINDING_STATUSES.filter((to) => canMove(from, { to, at: '', scanTaskId: 'x' })).join(),
  );
  expect(Object.fromEntries(FINDING_STATUSES.map((from, n) => [from, moves[n]]))).toEqual({
    open: 'fixed',
    in_progress: 'fixed',
    fixed: 'open',
    false_positive: '',
    risk_accepted: '',
    out_of_scope: '',
  });
});

test('time only takes back an acceptance, and counts neither a return nor an acknowledgement', () => {
  const byClock = { to: 'open', at: '2026-02-01T00:00:00.000Z', byClock: true } as const;
  expect(FINDING_STATUSES.filter((from) => canMove(from, byClock))).toEqual(['risk_accepted']);
  const accepted = { status: 'risk_accepted', firstSeenAt: '2026-01-01T00:00:00.000Z', reopenedCount: 1 } as const;
  expect(Object.keys(JSON.parse(JSON.stringify(moveStatus(accepted, byClock))))).toEqual(['status']);
});

test('a repair is timed from the return of a finding, and earlier repairs are kept', () => {
  const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`;
  const fixed = { status: 'fixed', firstSeenAt: day(1), fixedAt: day(2), reopenedCount: 0 } as const;
  const returned = { ...fixed, ...moveStatus(fixed, { to: 'open', at: day(4), scanTaskId: 'x' }) };
  expect(returned).toMatchObject({ reopenedCount: 1, reopenedAt: day(4), repairs: [{ at: day(2), seconds: 86_400 }] });
  const again = { ...returned, ...moveStatus(returned, { to: 'fixed', at: day(7), scanTaskId: 'y' }) };
  expect(repairOf(again)).toEqual([{ at: day(7), seconds: 3 * 86_400 }]);
});
