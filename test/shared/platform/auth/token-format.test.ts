import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatClientId,
  formatClientSecret,
  formatKey,
  hashSecret,
  matchesHash,
  newSecret,
  parseClientId,
  parseClientSecret,
  parseKey,
} from '#shared/platform/auth/token-format.ts';

const where = fc.record({ organizationId: fc.uuid(), id: fc.uuid() });

test('a key encodes any organization and record, and decodes to the same ids', () => {
  fc.assert(
    fc.property(where, (place) => {
      const secret = newSecret();
      expect(parseKey('exk', formatKey('exk', place, secret))).toEqual({ ...place, secret });
      expect(parseKey('exl', formatKey('exl', place, secret))).toEqual({ ...place, secret });
      expect(parseClientId(formatClientId(place))).toEqual(place);
      expect(parseClientSecret(formatClientSecret(secret))).toBe(secret);
    }),
  );
});

test('a key with one wrong character in its secret is refused without a read', () => {
  const place = { organizationId: crypto.randomUUID(), id: crypto.randomUUID() };
  const key = formatKey('exk', place, newSecret());
  const start = key.lastIndexOf('_') + 1;
  for (let n = start; n < key.length; n++) {
    const other = key[n] === 'x' ? 'y' : 'x';
    expect(parseKey('exk', key.slice(0, n) + other + key.slice(n + 1))).toBeUndefined();
  }
});

test.each([
  ['nothing', ''],
  ['a prefix', 'exk_'],
  ['letters', `exk_${'a'.repeat(44)}_${'b'.repeat(49)}`],
  ['ids that are too large for a UUID', `exk_${'z'.repeat(44)}_${newSecret()}`],
  ['a line break at the end', `exk_${'0'.repeat(44)}_${newSecret()}\n`],
])('%s is not a key', (_, text) => {
  expect(parseKey('exk', text)).toBeUndefined();
});

test('a link token is not accepted for an API key, nor an API key for a link token', () => {
  const place = { organizationId: crypto.randomUUID(), id: crypto.randomUUID() };
  expect(parseKey('exk', formatKey('exl', place, newSecret()))).toBeUndefined();
  expect(parseKey('exl', formatKey('exk', place, newSecret()))).toBeUndefined();
});

test('secrets never repeat and match only their own hash', () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    expect(matchesHash(secret, hashSecret(secret))).toBe(true);
    expect(matchesHash(secret, hashSecret(newSecret()))).toBe(false);
    expect(matchesHash(secret, 'short')).toBe(false);
  }
});

test('an id is a UUID in both of its halves: the largest is read, and the number after it is refused', () => {
  const most = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  const least = '00000000-0000-0000-0000-000000000000';
  const pairs = [
    { organizationId: most, id: least },
    { organizationId: least, id: most },
  ];
  for (const place of pairs) {
    const text = formatClientId(place);
    expect(parseClientId(text)).toEqual(place);
    const half =
      text
        .slice(4)
        .match(/.{22}/g)
        ?.find((one) => one !== '0'.repeat(22)) ?? expect.fail();
    const after = half.slice(0, -1) + String.fromCharCode(half.charCodeAt(21) + 1);
    expect(parseClientId(text.replace(half, after))).toBeUndefined();
    expect(parseKey('exk', `exk_${text.slice(4).replace(half, after)}_${newSecret()}`)).toBeUndefined();
  }
});

test('a secret without its checksum, or with that of another, is none', () => {
  const [one, two] = [newSecret(), newSecret()];
  for (const wrong of [one.slice(0, 43), one.slice(0, 43) + two.slice(43), `exs_${one}x`, `exk_${one}`, ''])
    expect(parseClientSecret(wrong)).toBeUndefined();
  expect(parseClientSecret(one)).toBe(one);
  expect(one).toMatch(/^[0-9A-Za-z]{49}$/);
});
