import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allSeen, findSeen, packState, type SeenRecord, unpackState } from '#shared/findings/view/scan-state.ts';
import { newId } from '#shared/platform/runtime/ids.ts';

const record = fc
  .record({
    seenAt: fc.nat(2 ** 32 * 1000 - 1),
    occurrences: fc.nat(2 ** 22 - 1),
    tool: fc.constantFrom('nmap', 'zap', 'ü'),
  })
  .map((numbers): SeenRecord => {
    const text = (bytes: number) => randomBytes(bytes).toString('base64url');
    return { ...numbers, fingerprint: text(16), contentHash: text(8), id: newId() };
  });

test('every sighting of a scan is found again in the packed state, to the last bit', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 200 }), (records) => {
      const state = unpackState(packState(records));
      for (const one of records) expect(findSeen(state, one.fingerprint)).toEqual(one);
      expect([...allSeen(state)]).toHaveLength(records.length);
      expect(findSeen(state, randomBytes(16).toString('base64url'))).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});

test('a report of more tools than a state can name keeps what each of them saw', () => {
  const [one] = fc.sample(record, 1);
  const records = Array.from({ length: 300 }, (_, n) => ({
    ...(one as SeenRecord),
    fingerprint: randomBytes(16).toString('base64url'),
    tool: `tool-${n}`,
  }));
  const state = unpackState(packState(records));
  expect([...allSeen(state)]).toHaveLength(300);
  expect(findSeen(state, records[254]?.fingerprint ?? '')?.tool).toBe('tool-254');
  expect(findSeen(state, records[299]?.fingerprint ?? '')?.tool).toBe('');
});
