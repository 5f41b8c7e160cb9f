import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SeenRecord, stateOf } from '#shared/findings/view/scan-state.ts';
import { openSightings, packSightings } from '#shared/findings/view/sightings.ts';
import { newIdAt } from '#shared/platform/runtime/ids.ts';

const text = (bytes: number) => randomBytes(bytes).toString('base64url');
const record = (ordinal: number, fields: Partial<SeenRecord> = {}): SeenRecord => ({
  id: newIdAt(ordinal),
  fingerprint: text(16),
  contentHash: text(8),
  seenAt: Date.parse('2026-03-10T12:00:00.999Z'),
  occurrences: 1,
  tool: 'nmap',
  ...fields,
});
const shown = ({ seenAt, occurrences, tool }: SeenRecord) => ({
  lastSeenAt: new Date(seenAt).toISOString(),
  occurrences,
  tool,
});
const packed = (records: readonly SeenRecord[]): Uint8Array => {
  const found = packSightings(stateOf(records));
  if (!found) throw new Error('too many runs');
  return found;
};

test('every finding of a scope has its own last sighting, and every other finding has none', () => {
  const fields = fc.record({
    seenAt: fc.constantFrom(0, 1_700_000_000_123, 4_294_967_295_999),
    occurrences: fc.constantFrom(1, 2, 2 ** 22 - 1),
    tool: fc.constantFrom('nmap', 'zap (ü)'),
  });
  const ordinals = fc.uniqueArray(fc.oneof(fc.nat(60), fc.constantFrom(2 ** 40 - 1, 2 ** 39, 1_000_000)), {
    maxLength: 50,
  });
  fc.assert(
    fc.property(ordinals, fc.infiniteStream(fields), (places, values) => {
      const records = places.map((ordinal) => record(ordinal, values.next().value));
      const look = openSightings(packed(records));
      for (const one of records) expect(look(one.id)).toEqual(shown(one));
      for (let n = 0; n < 62; n++) if (!places.includes(n)) expect(look(newIdAt(n))).toBeUndefined();
    }),
    { numRuns: 200 },
  );
});

test('a finding that was seen under two names of its asset has the later sighting', () => {
  const [early, late] = [record(5), record(5, { seenAt: Date.parse('2026-04-01T00:00:00Z'), occurrences: 3 })];
  for (const records of [
    [early, late, record(6)],
    [record(6), late, early],
  ]) {
    const look = openSightings(packed(records));
    expect(look(early.id)).toEqual(shown(late));
    expect(look(newIdAt(6))?.occurrences).toBe(1);
  }
});

test('a scan of 100,000 findings takes less than 100 bytes, and one that saw each hundredth no more takes some KB', () => {
  const whole = Array.from({ length: 100_000 }, (_, n) => record(n));
  expect(packed(whole).length).toBeLessThan(100);
  const most = packed(whole.filter((_, n) => n % 100 !== 37 && n % 1300 !== 5));
  expect(most.length).toBeLessThan(4096);
  expect(openSightings(most)(newIdAt(137))).toBeUndefined();
  expect(openSightings(most)(newIdAt(138))).toEqual(shown(record(138)));
});

test('sightings that differ finding by finding are not for the row of a scope', () => {
  const each = Array.from({ length: 30_000 }, (_, n) =>
    record(n, { seenAt: 1_000_000 * n, occurrences: 1 + (n % 977) }),
  );
  expect(packSightings(stateOf(each))).toBeUndefined();
  expect(packSightings(stateOf(Array.from({ length: 60_000 }, (_, n) => record(3 * n))))).toBeUndefined();
  expect(packSightings(stateOf(each.slice(0, 500)))).toBeDefined();
});
