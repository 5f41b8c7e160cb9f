import { expect, test } from 'vitest';
import { announce } from '#shared/scanning/fleet/source-ips.ts';

const now = '2026-01-10T00:00:00.000Z';
const inAWeek = '2026-01-17T00:00:00.000Z';
const before = '2025-01-01T00:00:00.000Z';
const lasting = (cidr: string, validFrom = before) => ({ cidr, validFrom, validUntil: null });

test('the first addresses hold at once: no client relies on others', () => {
  expect(announce([], ['192.0.2.1/32'], now)).toEqual([lasting('192.0.2.1/32', now)]);
});

test('a new address is announced a week ahead, and a removed address stays until then', () => {
  expect(announce([lasting('192.0.2.1/32')], ['192.0.2.2/32'], now)).toEqual([
    { cidr: '192.0.2.1/32', validFrom: before, validUntil: inAWeek },
    lasting('192.0.2.2/32', inAWeek),
  ]);
});

test('a change that is taken back leaves everything as it was', () => {
  const current = [lasting('192.0.2.1/32')];
  const changed = announce(current, ['192.0.2.2/32'], now);
  expect(announce(changed, ['192.0.2.1/32'], now)).toEqual(current);
});

test('what has ceased to hold is not listed any more', () => {
  const gone = { cidr: '192.0.2.9/32', validFrom: before, validUntil: before };
  expect(announce([gone, lasting('192.0.2.1/32')], ['192.0.2.1/32'], now)).toEqual([lasting('192.0.2.1/32')]);
});
