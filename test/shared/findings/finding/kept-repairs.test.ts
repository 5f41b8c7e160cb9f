import { expect, test } from 'vitest';
import { moveStatus, type StatusFields } from '#shared/findings/finding/finding-status.ts';
import { alertLife, moveAlert } from '#shared/soc/alerts/soc-status.ts';

const hour = (n: number): string => new Date(Date.UTC(2026, 0, 1, n)).toISOString();

test('a finding that returns again and again keeps its last five repairs, and its record grows no further', () => {
  let finding: StatusFields = { status: 'open', firstSeenAt: hour(0), reopenedCount: 0 };
  for (let n = 1; n <= 14; n += 2) {
    finding = { ...finding, ...moveStatus(finding, { to: 'fixed', at: hour(n) }) };
    finding = { ...finding, ...moveStatus(finding, { to: 'open', at: hour(n + 1) }) };
  }
  expect(finding.reopenedCount).toBe(7);
  // each took an hour; the first two are forgotten
  expect(finding.repairs).toEqual([5, 7, 9, 11, 13].map((n) => ({ at: hour(n), seconds: 3_600 })));
});

test('an alert that is opened again and again keeps its last five resolutions, and its record grows no further', () => {
  let alert: Parameters<typeof alertLife>[0] = {
    status: 'new',
    severity: 'high',
    createdAt: hour(0),
    firstEventAt: hour(0),
    acknowledgedAt: null,
    resolvedAt: null,
    reopenedAt: null,
    reopenedCount: 0,
  };
  for (let n = 1; n <= 14; n += 2) {
    alert = { ...alert, ...moveAlert(alert, 'resolved', hour(n)) };
    alert = { ...alert, ...moveAlert(alert, 'in_progress', hour(n + 1)) };
  }
  expect(alert.reopenedCount).toBe(7);
  expect(alertLife(alert).spans.repair).toEqual([5, 7, 9, 11, 13].map((n) => ({ at: hour(n), seconds: 3_600 })));
});
