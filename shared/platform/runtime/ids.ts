import { createHash, randomBytes } from 'node:crypto';
import { nowMs } from './clock.ts';

/**
 * UUIDv7 (RFC 9562, section 5.7) whose `rand_b` starts with the record's ordinal in its collection, so that an id
 * is enough to find the record: 48 bits of Unix milliseconds, 12 random bits, 40 bits of ordinal, 22 random bits.
 */
const RANDOM_BITS = 22n;
const RANDOM_MASK = (1n << RANDOM_BITS) - 1n;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A UUIDv7 of an ordinal, a time and 34 bits of entropy (from a hash or random bytes of at least 5 bytes). */
export function makeId(ordinal: number, milliseconds: number, entropy: Uint8Array): string {
  const bits = Buffer.from(entropy.buffer, entropy.byteOffset, 5).readUIntBE(0, 5);
  const randomA = bits % 4096;
  const randomB = BigInt(Math.floor(bits / 4096)) & RANDOM_MASK;
  const high = (2n << 62n) | (BigInt(ordinal) << RANDOM_BITS) | randomB;
  const time = milliseconds.toString(16).padStart(12, '0');
  const tail = high.toString(16);
  const a = randomA.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${a}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/** A new id for the record with this ordinal. */
export const newIdAt = (ordinal: number): string => makeId(ordinal, nowMs(), randomBytes(5));

/** A new UUIDv7 for a thing that is in no collection (task, request). */
export const newId = (): string => newIdAt(randomBytes(5).readUIntBE(0, 5));

export const isId = (text: string): boolean => ID.test(text);

/** The ordinal inside an id that `makeId` made: its first 14 bits follow the variant, the other 26 begin the last group. */
export const ordinalOf = (id: string): number =>
  (Number.parseInt(id.slice(19, 23), 16) % 2 ** 14) * 2 ** 26 +
  Math.floor(Number.parseInt(id.slice(24), 16) / 2 ** Number(RANDOM_BITS));

/** The same of an id as its 16 bytes. */
export const ordinalIn = (bytes: Buffer, at: number): number =>
  (bytes.readUInt16BE(at + 8) % 2 ** 14) * 2 ** 26 +
  Math.floor(bytes.readUIntBE(at + 10, 6) / 2 ** Number(RANDOM_BITS));

/** The time inside an id, in milliseconds since 1970. */
export const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/** 22 characters instead of the 36 of a UUID, because every row contains keys and reads are paid by the byte. */
export const shortId = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');

/** The id that `shortId` made short. */
export const longId = (short: string): string => idOfHex(Buffer.from(short, 'base64url').toString('hex'));

/** The id of 32 hexadecimal digits. */
export const idOfHex = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/**
 * The same id for the same parts, so that a repeated request finds the record of the first one. A UUIDv7 with the time
 * of `id`.
 */
export function derivedId(id: string, ...parts: readonly (string | number)[]): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([id, ...parts]))
    .digest();
  return makeId(hash.readUIntBE(0, 5), timeOf(id), hash.subarray(5, 10));
}
