import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The formats of credentials: `exk_<id>_<secret>` (API key), `exl_<id>_<secret>` (link token), `exf_<id>_<secret>`
 * (calendar feed), `exr_<id>_<secret>` (refresh token of a person's session), `exc_<id>` (client id of a service account, machine or API key) and `exs_<secret>` (its client
 * secret). Secret scanners find credentials by the prefix. The id holds the organization and the record, 22 base62
 * characters each, so the credential alone is enough to find its row. A secret is 256 random bits in 43 characters and
 * a checksum in 6: garbage is refused without a read.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(ALPHABET.length);
const ID_LENGTH = 22;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const KEY = /^(exk|exl|exf|exr)_([0-9A-Za-z]{44})_([0-9A-Za-z]{49})$/;
const CLIENT_ID = /^(?:exc_)?([0-9A-Za-z]{44})$/;
const CLIENT_SECRET = /^(?:exs_)?([0-9A-Za-z]{49})$/;

/** The organization and the record (API key, service account, machine, link token) of a credential. */
export type CredentialId = { organizationId: string; id: string };
type ParsedKey = CredentialId & { secret: string };
type KeyPrefix = 'exk' | 'exl' | 'exf' | 'exr';

/** A secret without prefix or id: the part that is hashed and that the checksum covers. */
export function newSecret(): string {
  const random = encode(randomBytes(32), SECRET_LENGTH);
  return random + checksum(random);
}

export const formatKey = (prefix: KeyPrefix, where: CredentialId, secret: string): string =>
  `${prefix}_${encodeId(where)}_${secret}`;

export const formatClientId = (where: CredentialId): string => `exc_${encodeId(where)}`;

export const formatClientSecret = (secret: string): string => `exs_${secret}`;

/** @returns undefined for a text that this service cannot have issued */
export function parseKey(prefix: KeyPrefix, text: string): ParsedKey | undefined {
  const [, found, id = '', secret = ''] = KEY.exec(text) ?? [];
  if (found !== prefix || !isWhole(secret)) return undefined;
  const where = decodeId(id);
  return where && { ...where, secret };
}

export function parseClientId(text: string): CredentialId | undefined {
  const [, id] = CLIENT_ID.exec(text) ?? [];
  return id === undefined ? undefined : decodeId(id);
}

/** @returns the secret alone */
export function parseClientSecret(text: string): string | undefined {
  const [, secret] = CLIENT_SECRET.exec(text) ?? [];
  return secret !== undefined && isWhole(secret) ? secret : undefined;
}

/** A fast hash is enough: 256 random bits cannot be guessed. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Compares in constant time. */
export function matchesHash(secret: string, hash: string): boolean {
  const [given, expected] = [Buffer.from(hashSecret(secret)), Buffer.from(hash)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** 44 characters for the organization and the id of a record. */
export const encodeId = ({ organizationId, id }: CredentialId): string => encodeUuid(organizationId) + encodeUuid(id);

/** @returns undefined for a text that `encodeId` cannot have made */
export function decodeId(text: string): CredentialId | undefined {
  const organizationId = decodeUuid(text.slice(0, ID_LENGTH));
  const id = decodeUuid(text.slice(ID_LENGTH));
  return organizationId && id ? { organizationId, id } : undefined;
}

const encodeUuid = (uuid: string): string => encode(Buffer.from(uuid.replaceAll('-', ''), 'hex'), ID_LENGTH);

function decodeUuid(text: string): string | undefined {
  let value = 0n;
  for (const character of text) value = value * BASE + BigInt(ALPHABET.indexOf(character));
  if (value >= 1n << 128n) return undefined;
  const hex = value.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function encode(bytes: Uint8Array, length: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= BASE) text = ALPHABET.charAt(Number(value % BASE)) + text;
  return text.padStart(length, ALPHABET.charAt(0));
}

function checksum(random: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(random));
  return encode(bytes, CHECKSUM_LENGTH);
}

const isWhole = (secret: string): boolean => checksum(secret.slice(0, SECRET_LENGTH)) === secret.slice(SECRET_LENGTH);
