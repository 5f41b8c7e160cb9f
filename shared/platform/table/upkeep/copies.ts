import { createHash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import type { Bucket } from '../../runtime/bucket.ts';
import { type Dynamo, parseNumber } from '../../runtime/dynamo.ts';
import { unzipped, zipped } from '../../runtime/gzip.ts';
import { shortId } from '../../runtime/ids.ts';
import { GLOBAL_SCOPE, type Row } from '../layout/keys.ts';
import { isOwned, scanPage } from './owned.ts';

/**
 * The prefix of the copies of organizations, each under the organization's id, so that its deletion removes them too.
 */
export const COPIES_PREFIX = 'organization-copies/';

/** Rows of a copy: their number, their number of files, and the sum of their digests, which is independent of order. */
const CopiedRows = z.object({
  files: z.int().default(0),
  rows: z.int().default(0),
  digest: z.string().default('0'),
});

/** Objects of a copy: how many, and the sum of their digests. Copies of earlier releases have none. */
export const CopiedObjects = z.object({ objects: z.int().default(0), objectsDigest: z.string().optional() });

/** Written last: a copy without it is not whole. */
const CopyManifest = z.object({
  organizationId: z.uuid(),
  name: z.string(),
  /** The second that the copy shows; null if it was taken of the organization while it worked. */
  at: z.string().nullable(),
  ...CopiedRows.shape,
  ...CopiedObjects.shape,
});
export type CopyManifest = z.infer<typeof CopyManifest>;

type CopyPlace = { organizationId: string; copyId: string };

const prefixOf = ({ organizationId, copyId }: CopyPlace): string => `${COPIES_PREFIX}${organizationId}/${copyId}/`;
const fileKey = (place: CopyPlace, n: number): string =>
  `${prefixOf(place)}rows/${String(n).padStart(6, '0')}.jsonl.gz`;

/** The prefix of the copied objects, under their own keys. */
export const objectsPrefix = (place: CopyPlace): string => `${prefixOf(place)}objects/`;

export async function readManifest(bucket: Bucket, place: CopyPlace): Promise<CopyManifest | undefined> {
  const bytes = await bucket.get(`${prefixOf(place)}manifest.json`);
  return bytes && CopyManifest.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
}

export const writeManifest = (bucket: Bucket, copyId: string, manifest: CopyManifest): Promise<void> =>
  bucket.put(`${prefixOf({ ...manifest, copyId })}manifest.json`, JSON.stringify(manifest));

/** Whether the object belongs to the organization, and not to a copy. */
export const isCopiedObject = (organizationId: string, key: string): boolean =>
  !key.startsWith(COPIES_PREFIX) && key.split('/').includes(organizationId);

/** Whether the row is in the organization's key scope. */
export const isInScope = (organizationId: string, { pk }: Row): boolean => pk.startsWith(`${shortId(organizationId)}#`);

/**
 * Whether a row belongs to a copy: rows of the organization, and rows in the global key scope that find it. Rows of
 * another organization whose machine works for it do not belong.
 */
export const isCopied = (organizationId: string, row: Row): boolean =>
  isOwned(organizationId, row) && (isInScope(organizationId, row) || row.pk.startsWith(`${GLOBAL_SCOPE}#`));

const FILE_BYTES = 4_000_000;

type Source = { dynamo: Dynamo; bucket: Bucket; place: CopyPlace };
/**
 * The progress of reading the table into files: the key of the last row, undefined before the first and after the last.
 */
export const RowsRead = z.object({ ...CopiedRows.shape, row: z.object({ pk: z.string(), sk: z.string() }).optional() });
export type RowsRead = z.infer<typeof RowsRead>;

/** Reads the table on, and writes one more file of the organization's rows. `row` is undefined at the end. */
export async function copyNextFile({ dynamo, bucket, place }: Source, at: RowsRead): Promise<RowsRead> {
  const lines: string[] = [];
  let next = at.row;
  let bytes = 0;
  do {
    const page = await scanPage(dynamo, next);
    const copied = page.rows.filter((row) => isCopied(place.organizationId, row)).map(textOf);
    lines.push(...copied);
    bytes += copied.reduce((sum, { length }) => sum + length, 0);
    next = page.next;
  } while (next && bytes < FILE_BYTES);
  const row = next && { pk: next.pk, sk: next.sk };
  if (lines.length === 0) return { ...at, row };
  await bucket.put(fileKey(place, at.files), await zipped(lines.join('\n')));
  return { row, files: at.files + 1, rows: at.rows + lines.length, digest: withTexts(at.digest, lines) };
}

/** The unchanged rows of one file of a copy. */
export async function readCopiedRows(bucket: Bucket, place: CopyPlace, file: number): Promise<Row[]> {
  const bytes = await bucket.get(fileKey(place, file));
  if (!bytes) throw new Error(`the file ${file} of the copy ${place.copyId} is missing`);
  return (await unzipped(bytes)).split('\n').map(rowOf);
}

/** DynamoDB's own JSON, which its exports use too: numbers stay exact. Fields are sorted, so that equal rows are equal texts. */
const textOf = (row: Row): string => JSON.stringify(plain(marshall(row, { removeUndefinedValues: true })));

/** Types of sets, which come in any order. A field with such a name holds an object and no array. */
const SETS = ['SS', 'NS', 'BS'];

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).map(([name, one]): [string, unknown] => {
    const text = plain(one);
    return [name, SETS.includes(name) && Array.isArray(text) ? text.toSorted() : text];
  });
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A text under the name `B` is bytes: a field of that name holds an object in this form. */
function bytesOf(name: string, value: unknown): unknown {
  const read = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
  if (name === 'B' && typeof value === 'string') return read(value);
  return name === 'BS' && Array.isArray(value) ? value.map(read) : value;
}

const rowOf = (line: string): Row =>
  unmarshall(JSON.parse(line, bytesOf) as Record<string, AttributeValue>, { wrapNumbers: parseNumber }) as Row;

/** Adds the digests of objects to a sum, each by its key in the organization and the SHA-256 of its bytes. */
export const withObjects = (sum: string, objects: readonly { key: string; checksum: string }[]): string =>
  withTexts(
    sum,
    objects.map(({ key, checksum }) => `${checksum} ${key}`),
  );

const MODULUS = 2n ** 128n;

/** Adds the digests of rows to a sum in which their order does not matter. */
export const withDigests = (sum: string, rows: readonly Row[]): string => withTexts(sum, rows.map(textOf));

function withTexts(sum: string, texts: readonly string[]): string {
  const digests = texts.map((text) => BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 32)}`));
  return (digests.reduce((total, one) => total + one, BigInt(`0x${sum}`)) % MODULUS).toString(16);
}
