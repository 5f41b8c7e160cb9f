import { expect, test } from 'vitest';
import {
  allSeen,
  emptyState,
  findSeen,
  findSeenById,
  packState,
  type SeenRecord,
  unpackState,
} from '#shared/findings/view/scan-state.ts';

/** 16 bytes as the fingerprint and the id of a record. */
const bytes = (first: number, rest = 0) => Buffer.from([first, ...Array<number>(15).fill(rest)]);
const uuid = (of: Buffer) => of.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const record = (n: number, fields: Partial<SeenRecord> = {}): SeenRecord => ({
  fingerprint: bytes(n).toString('base64url'),
  id: uuid(bytes(n, 0xee)),
  contentHash: 'AAAAAAAAAAA',
  seenAt: Date.parse('2026-03-10T12:00:00.999Z'),
  occurrences: 1,
  tool: 'nmap',
  ...fields,
});

test('a finding is found by its id, and no other place of a record is taken for one', () => {
  const [wanted, other] = [record(3), record(1)];
  // the fingerprint of another record has the very bytes of the id that is looked for
  const decoy = record(2, { fingerprint: bytes(3, 0xee).toString('base64url') });
  const state = unpackState(packState([other, decoy, wanted]));
  expect(findSeenById(state, wanted.id)).toEqual(wanted);
  expect(findSeenById(state, decoy.id)).toEqual(decoy);
  expect(findSeenById(unpackState(packState([decoy])), wanted.id)).toBeUndefined();
  expect(findSeenById(emptyState, wanted.id)).toBeUndefined();
});

test('a first and a last finding are found by their fingerprints', () => {
  const records = [9, 1, 5].map((n) => record(n));
  const state = unpackState(packState(records));
  for (const one of records) expect(findSeen(state, one.fingerprint)).toEqual(one);
  expect(findSeen(state, bytes(4).toString('base64url'))).toBeUndefined();
  expect([...allSeen(state)].map(({ fingerprint }) => fingerprint)).toEqual(
    [1, 5, 9].map((n) => bytes(n).toString('base64url')),
  );
});

test('a finding that is seen more often than a state can count keeps the most that it can', () => {
  const most = 2 ** 22 - 1;
  const state = unpackState(packState([record(1, { occurrences: most }), record(2, { occurrences: most + 1 })]));
  expect([...allSeen(state)].map(({ occurrences, seenAt }) => [occurrences, seenAt])).toEqual(
    [1, 2].map(() => [most, Date.parse('2026-03-10T12:00:00.999Z')]),
  );
});

test('the 255th tool has its name in a state, and the next one none', () => {
  const records = Array.from({ length: 256 }, (_, n) => record(n, { tool: `tool-${n}` }));
  const tools = [...allSeen(unpackState(packState(records)))].map(({ tool }) => tool);
  expect(tools.slice(-2)).toEqual(['tool-254', '']);
});

test('what no report has left is empty', () => {
  expect(unpackState(undefined)).toBe(emptyState);
  expect([...allSeen(emptyState)]).toEqual([]);
});

test('a state is written as earlier releases read it, and reads as they wrote it', () => {
  const one: SeenRecord = {
    fingerprint: Buffer.from('fingerprint-0123').toString('base64url'),
    id: '01900000-0000-7000-8000-0000000000ab',
    contentHash: Buffer.from('contents').toString('base64url'),
    seenAt: 1_700_000_000_123,
    occurrences: 5,
    tool: 'nmap',
  };
  const headed = (header: string) =>
    Buffer.concat([
      Buffer.from(`${header}\nfingerprint-0123`),
      Buffer.from('019000000000700080000000000000ab', 'hex'),
      Buffer.from('contents'),
      Buffer.from('6553f100', 'hex'),
      Buffer.from('1ec00005', 'hex'),
      Buffer.from([0]),
    ]);
  // earlier releases read the tools of the header, and wrote no identities
  const now = headed('{"version":1,"tools":["nmap"],"identities":2}');
  expect(packState([one]).toString('hex')).toBe(now.toString('hex'));
  const former = unpackState(headed('{"version":1,"tools":["nmap"]}'));
  expect([former.identities, ...allSeen(former)]).toEqual([1, one]);
});
