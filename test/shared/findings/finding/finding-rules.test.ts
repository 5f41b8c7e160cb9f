import { expect, test } from 'vitest';
import {
  canMove,
  FINDING_STATUSES,
  moveStatus,
  repairOf,
  type StatusFields,
} from '#shared/findings/finding/finding-status.ts';
import { moveAlert, moveIncident } from '#shared/soc/alerts/soc-status.ts';

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

/** Opened and ended again, twelve times, at noon and midnight of each day. */
const HALF_DAYS = Array.from(
  { length: 12 },
  (_, n) => (hour: string) => `2026-01-${String(n + 1).padStart(2, '0')}T${hour}:00:00.000Z`,
);

test('the newest five repairs before the present one are kept, however often a finding returns', () => {
  let finding: StatusFields = { status: 'open', firstSeenAt: HALF_DAYS[0]?.('00') ?? '', reopenedCount: 0 };
  for (const at of HALF_DAYS) {
    finding = { ...finding, ...moveStatus(finding, { to: 'fixed', at: at('12'), scanTaskId: 'x' }) };
    finding = { ...finding, ...moveStatus(finding, { to: 'open', at: at('23'), scanTaskId: 'y' }) };
  }
  expect(finding.reopenedCount).toBe(12);
  expect(finding.repairs?.map(({ at }) => at)).toEqual(HALF_DAYS.slice(-5).map((at) => at('12')));
});

test('the newest five ends of an alert and of an incident are kept, however often they are opened again', () => {
  const severity = 'high' as const;
  const [start = ''] = HALF_DAYS.map((at) => at('00'));
  let alert: Parameters<typeof moveAlert>[0] = {
    status: 'new',
    severity,
    createdAt: start,
    firstEventAt: start,
    acknowledgedAt: null,
    resolvedAt: null,
    reopenedAt: null,
    reopenedCount: 0,
  };
  let incident: Parameters<typeof moveIncident>[0] = {
    status: 'open',
    severity,
    detectedAt: start,
    acknowledgedAt: null,
    containedAt: null,
    closedAt: null,
    reopenedAt: null,
    reopenedCount: 0,
  };
  for (const at of HALF_DAYS) {
    alert = { ...alert, ...moveAlert(alert, 'resolved', at('12')) };
    alert = { ...alert, ...moveAlert(alert, 'in_progress', at('23')) };
    incident = { ...incident, ...moveIncident(incident, 'closed', at('12')) };
    incident = { ...incident, ...moveIncident(incident, 'investigating', at('23')) };
  }
  const newest = HALF_DAYS.slice(-5).map((at) => at('12'));
  for (const { reopenedCount, repairs } of [alert, incident])
    expect({ reopenedCount, ends: repairs?.map(({ at }) => at) }).toEqual({ reopenedCount: 12, ends: newest });
});
