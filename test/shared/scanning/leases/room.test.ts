import { afterEach, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { isServing, roomFor } from '#shared/scanning/leases/room.ts';

const leases = (n: number) =>
  Object.fromEntries(Array.from({ length: n }, (_, id) => [id, {}])) as unknown as Parameters<
    typeof roomFor
  >[0]['leases'];
const bounds = { perPoll: 10, held: 30 };

afterEach(() => setClock());

test.each([
  ['as many as it asks for', { held: 0, capacity: 50, asked: 9 }, 9],
  ['no more than one poll may get', { held: 0, capacity: 50, asked: 11 }, 10],
  ['no more than a machine may hold, whatever its capacity', { held: 25, capacity: 50, asked: 9 }, 5],
  ['nothing to one that holds as many as it may', { held: 30, capacity: 50, asked: 9 }, 0],
  ['nothing to one that holds more than it may by now', { held: 31, capacity: 50, asked: 9 }, 0],
  ['no more than its capacity leaves', { held: 3, capacity: 5, asked: 9 }, 2],
  ['as many as a machine may hold to one that names no capacity', { held: 24, capacity: null, asked: 9 }, 6],
] as const)('a poll gets %s', (_, { held, capacity, asked }, room) => {
  expect(roomFor({ leases: leases(held), capacity }, asked, bounds)).toBe(room);
});

test('a machine serves again at the moment at which its maintenance ends, and never while it is disabled', () => {
  const end = Date.parse('2026-03-01T08:00:00.000Z');
  const maintenanceUntil = new Date(end).toISOString();
  setClock(() => end - 1);
  expect(isServing({ enabled: true, maintenanceUntil })).toBe(false);
  setClock(() => end);
  expect(isServing({ enabled: true, maintenanceUntil })).toBe(true);
  expect(isServing({ enabled: false, maintenanceUntil })).toBe(false);
  expect(isServing({ enabled: true, maintenanceUntil: null })).toBe(true);
});
