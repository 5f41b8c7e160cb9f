import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { queuesOf } from '#functions/scanning/scanner-communication/work-for.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { statusByTasks } from '#shared/scanning/engagement-tasks/settle.ts';
import type { ScannerPresence } from '#shared/scanning/fleet/presence.ts';
import { LEASE_SECONDS, nextTimer, renewLeases } from '#shared/scanning/leases/lease.ts';
import { intervalFor, roomFor, withinToldInterval } from '#shared/scanning/leases/room.ts';
import { offlineAfterSeconds, silentAt } from '#shared/scanning/machines/presence.ts';
import { reasonOf } from '#shared/scanning/scanner-tasks/waiting.ts';

const now = Date.parse('2025-03-03T10:00:00Z');
beforeEach(() => setClock(() => now));
afterAll(() => setClock());

const lease = (untilIn: number, more = {}) => ({
  attempt: 1,
  until: now + untilIn * 1000,
  deadline: now + 86_400_000,
  progress: 0,
  ...more,
});
const presence = (more: Partial<ScannerPresence> = {}): ScannerPresence => ({
  machineId: 's',
  rev: 1,
  stale: false,
  name: 's',
  zone: null,
  groupIds: [],
  taskTypes: ['network', 'web'],
  supported: ['network', 'web'],
  softwareVersion: null,
  versionStatus: 'current',
  enabled: true,
  capacity: null,
  maintenanceUntil: null,
  online: true,
  lastSeenAt: now,
  toldSeconds: 60,
  timerAt: 0,
  leases: {},
  ...more,
});

const renew = (held: ScannerPresence, running: { taskId: string; progress: number }[]) =>
  renewLeases(held, running, ({ progress }) => ({ progress }));

describe('what a poll says of its tasks', () => {
  test('what it holds is renewed, what it does not hold is lost, what shall end is named', () => {
    const report = renew(presence({ leases: { a: lease(10), b: lease(10, { cancel: 'cancelled' }) } }), [
      { taskId: 'a', progress: 0.4 },
      { taskId: 'x', progress: 0.1 },
    ]);
    expect(report.leases.a).toMatchObject({ until: now + LEASE_SECONDS * 1000, progress: 0.4 });
    expect(report.leases.b).toMatchObject({ until: now + 10_000 });
    expect(report).toMatchObject({ lost: ['x'], cancel: [{ taskId: 'b', reason: 'cancelled' }] });
  });

  test('a task is not renewed beyond its deadline', () => {
    const held = { a: lease(10, { deadline: now + 60_000 }) };
    expect(renew(presence({ leases: held }), [{ taskId: 'a', progress: 0 }]).leases.a?.until).toBe(now + 60_000);
  });
});

describe('how much a poll gets', () => {
  test.each([
    ['what it asks for', {}, 3, 3],
    ['nothing when it asks for nothing', {}, 0, 0],
    ['at most ten', {}, 50, 10],
    ['what its operator allows', { capacity: 2 }, 9, 2],
    ['the rest of what its operator allows', { capacity: 2, leases: { a: lease(10) } }, 9, 1],
  ])('%s', (_, more, asked, gets) => {
    expect(roomFor(presence(more), asked, { perPoll: 10, held: 30 })).toBe(gets);
  });

  test.each([
    ['disabled', { enabled: false }],
    ['too old', { versionStatus: 'unsupported' as const }],
    ['in maintenance', { maintenanceUntil: '2025-03-03T10:00:01Z' }],
  ])('a scanner that is %s looks into no queue', (_, more) => {
    expect(queuesOf(presence(more))).toEqual([]);
  });

  test('only the types that both the settings and the poll name are looked for', () => {
    expect(queuesOf(presence({ zone: 'dmz', groupIds: ['g'] }), ['web', 'sast', 'novel'])).toEqual([
      'web||=dmz',
      'web|g|=dmz',
    ]);
  });
});

describe('when to poll again', () => {
  test('soon only while work waits, else after one to two minutes', () => {
    expect([intervalFor('waits', 0.5), intervalFor('waits but no room', 0.5)]).toEqual([5, 15]);
    expect([intervalFor('none', 0), intervalFor('none', 0.999)]).toEqual([60, 119]);
  });

  test('a poll that records nothing never sends a scanner into being taken for silent', () => {
    const seen = presence({ lastSeenAt: now - 50_000, toldSeconds: 5 });
    const told = withinToldInterval(seen, 119);
    expect(now + told * 1000).toBeLessThan(silentAt(seen));
  });
});

describe('the timer of a scanner', () => {
  test('a machine that polls in time moves its timer before it goes off', () => {
    let current = presence({ timerAt: 0 });
    for (let minutes = 0; minutes < 100; minutes++) {
      const timerAt = nextTimer({ ...current, lastSeenAt: nowMs() });
      current = { ...current, lastSeenAt: nowMs(), timerAt };
      const next = nowMs() + current.toldSeconds * 1000;
      expect(timerAt).toBeGreaterThan(next);
      setClock(() => next);
    }
  });

  test('it goes off when a lease ends, and not at all when there is nothing to watch', () => {
    expect(nextTimer(presence({ leases: { a: lease(5) } }))).toBe(now + 5000);
    expect(nextTimer(presence({ online: false }))).toBe(0);
    expect(nextTimer(presence())).toBeGreaterThan(now + offlineAfterSeconds(60) * 1000);
  });
});

test.each([
  ['no scanner in the zone', {}, 500, 'no_scanner_in_zone'],
  ['no scanner of the type', { any: 2, network: 2 }, 500, 'no_scanner_for_type'],
  ['all of them offline', { any: 2, web: 2 }, 500, 'all_offline'],
  ['all of them busy', { any: 2, web: 2, 'on:web': 1 }, 500, 'all_busy'],
  ['all of them busy for longer than an idle one stays away', { any: 2, web: 2, 'on:web': 1 }, 151, 'all_busy'],
  ['nothing yet, a scanner will come', { any: 2, web: 2, 'on:web': 1 }, 150, undefined],
])('a pending task says why it waits: %s', (_, fit, seconds, reason) => {
  expect(reasonOf(fit, 'web', seconds)).toBe(reason);
});

test.each([
  ['requested', { completed: 1 }, 'requested'],
  ['scheduled', { pending: 2 }, 'scheduled'],
  ['scheduled', { pending: 1, running: 1 }, 'running'],
  ['scheduled', {}, 'scheduled'],
  ['running', { completed: 2, failed: 1 }, 'completed'],
  ['running', { failed: 2, cancelled: 1 }, 'failed'],
  ['running', { cancelled: 2 }, 'cancelled'],
  ['cancelled', { completed: 2 }, 'cancelled'],
] as const)('an engagement that is %s with tasks %j becomes %s', (status, counts, next) => {
  expect(statusByTasks(status, counts)).toBe(next);
});
