import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { inSeconds, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import {
  LEASE_SECONDS,
  type Lease,
  type LeasePresence,
  leaseTerms,
  MAX_TASK_SECONDS,
  renewLeases,
  withLease,
  withoutLeases,
} from '#shared/scanning/leases/lease.ts';
import { intervalFor, withinToldInterval } from '#shared/scanning/leases/room.ts';
import type { MachinePresence } from '#shared/scanning/machines/presence.ts';
import { stopClock } from '../../../support/scanning-world.ts';

beforeEach(() => void stopClock());
afterAll(() => setClock());

const lease = (untilIn: number, deadlineIn = MAX_TASK_SECONDS, more: Partial<Lease> = {}): Lease => ({
  attempt: 1,
  until: nowMs() + untilIn * 1000,
  deadline: nowMs() + deadlineIn * 1000,
  progress: 0,
  ...more,
});
const presence = (leases: Record<string, Lease>) => ({ machineId: 'm', leases }) as LeasePresence;

describe('a lease', () => {
  test.each([
    ['of a task without a limit lasts a quarter of an hour at a time, for a day', undefined, 900, 86_400],
    ['of a short task ends with it', 60, 60, 60],
    ['of a longer task is renewed', 901, 900, 901],
  ])('%s', (_, timeout, leaseSeconds, deadline) => {
    const terms = { leaseSeconds, leaseExpiresAt: inSeconds(leaseSeconds), deadlineAt: inSeconds(deadline) };
    expect(leaseTerms(timeout)).toEqual(terms);
  });

  test.each([
    ['is renewed from now on', [10, 86_400], LEASE_SECONDS],
    ['is renewed until its deadline', [10, 60], 60],
    ['is never made shorter', [100, 60], 100],
    ['that ended while nobody noticed is renewed', [-5, 86_400], LEASE_SECONDS],
    ['beyond its deadline ends when it was to end', [-5, -5], -5],
  ] as const)('%s', (_, [endsIn, deadlineIn], untilIn) => {
    const held = lease(endsIn, deadlineIn);
    const { leases, lost } = renewLeases({ leases: { a: held } }, [{ taskId: 'a' }], () => ({ progress: 0.5 }));
    expect(leases).toEqual({ a: { ...held, progress: 0.5, until: nowMs() + untilIn * 1000 } });
    expect(lost).toEqual([]);
  });

  test('that is not reported stays as it is, and its machine hears that it is to stop', () => {
    const held = { a: lease(10, 60, { cancel: '' }), b: lease(10) };
    const { leases, lost, cancel } = renewLeases({ leases: held }, [{ taskId: 'x' }, { taskId: 'y' }], () => ({}));
    expect([leases, lost, cancel]).toEqual([held, ['x', 'y'], [{ taskId: 'a', reason: '' }]]);
  });

  test('is changed or taken away, and the others stay', () => {
    const held = presence({ a: lease(10), b: lease(20) });
    expect(withLease(held, 'a', { cancel: 'x' }).leases).toEqual({
      a: { ...held.leases.a, cancel: 'x' },
      b: held.leases.b,
    });
    expect(withLease(held, 'c', { cancel: 'x' })).toBe(held);
    expect(withoutLeases(held, ['a', 'c'])).toEqual({ ...held, leases: { b: held.leases.b } });
  });
});

describe('the answer to a machine names its next call', () => {
  const seen = (secondsAgo: number) => ({ lastSeenAt: nowMs() - secondsAgo * 1000, toldSeconds: 5 }) as MachinePresence;

  test.each([
    ['as late as it may before it counts as silent, less a moment', 50, 119, 45],
    ['in whole seconds', 50.5, 119, 44],
    ['as soon as it was to come anyway', 50, 10, 10],
    ['in a second at the least', 97, 119, 1],
    ['as it was to come once it counts as silent', 100, 119, 119],
  ])('%s', (_, secondsAgo, seconds, told) => {
    expect(withinToldInterval(seen(secondsAgo), seconds)).toBe(told);
  });

  test('in whole seconds of the second minute while nothing waits', () => {
    expect([0, 0.25, 0.509, 0.999].map((chance) => intervalFor('none', chance))).toEqual([60, 75, 90, 119]);
  });
});
