import type { findings } from '#shared/findings/finding/finding.ts';
import { FINDING_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { rowsKeyOf } from '#shared/findings/view/scope-state.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import type { Position } from '#shared/platform/feed/news.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { idOfHex } from '#shared/platform/runtime/ids.ts';
import { findPacked, sortPacked } from '#shared/platform/runtime/packed.ts';
import { Severity } from '#shared/reports/report/report.ts';

/** The fields of a finding's row that a report which sees the finding again asks for. */
export type KnownFinding = Pick<
  FindingRow,
  'id' | 'version' | 'status' | 'severity' | 'priority' | 'firstSeenAt' | 'reopenedAt' | 'occurrences'
> & {
  follows?: { was: Pick<FindingRow, 'status'> } | undefined;
  /** Absent for a remembered finding: it is on the asset of its entry. */
  asset?: FindingRow['asset'];
};

/** `isRepeated`: the report named the problem several times. */
type RememberedFinding = KnownFinding & { isRepeated?: boolean | undefined };

/** The rows of the findings that a scan saw, as the scan left them. */
export type Remembered = {
  find: (fingerprint: string) => RememberedFinding | undefined;
  count: number;
  since: Position | undefined;
};

const NOTHING: Remembered = { find: () => undefined, count: 0, since: undefined };

/** A record: fingerprint, id, version, places of two statuses and the severity (with `REPEATED`), priority, and two times in milliseconds since the epoch. */
const SIZE = 56;
const NONE = 255;
/** Beside the place of the severity. */
const REPEATED = 128;
/** The words that places name, and the order of the rows. Rows of a release with others are not read. */
const WORDS = [...FINDING_STATUSES, ...Severity.options, 'by fingerprint'].join();
type Header = { words: string } & Left;

/** The collection of the findings, and the end of the change feed before the first of them was read or written. */
type Left = { entity: string; since: Position };

/** Keeps the rows of all chunks beside the state that the report leaves; none where an earlier release applied a chunk. */
export async function keepRows(bucket: Bucket, chunks: readonly string[], stateKey: string): Promise<void> {
  const parts = await eachAtOnce(chunks, READS_AT_ONCE, (key) => readPart(bucket, key));
  const known = parts.flatMap((part) => part ?? []);
  const [oldest] = known.toSorted((a, b) => a.since.next - b.since.next);
  if (!oldest || known.length < parts.length) return;
  const rows = sortPacked(Buffer.concat(known.map((one) => one.rows)), SIZE);
  await bucket.put(rowsKeyOf(stateKey), Buffer.concat([headerOf(oldest), rows]));
}

const READS_AT_ONCE = 10;

const headerOf = ({ entity, since }: Left): Buffer =>
  Buffer.from(`${JSON.stringify({ words: WORDS, entity, since } satisfies Header)}\n`);

type Part = Left & { rows: Buffer };

async function readPart(bucket: Bucket, key: string): Promise<Part | undefined> {
  const bytes = await bucket.get(key);
  if (!bytes) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.indexOf(10);
  const { words, ...left } = JSON.parse(buffer.toString('utf8', 0, end)) as Header;
  return words === WORDS ? { ...left, rows: buffer.subarray(end + 1) } : undefined;
}

type Row = readonly [fingerprint: string, finding: RememberedFinding];

/** Packs findings by fingerprint, without those whose times cannot be kept to the character. */
export function packRows(left: Left, rows: readonly Row[]): Buffer {
  const kept = rows.filter(([, { firstSeenAt, reopenedAt }]) => isExact(firstSeenAt) && isExact(reopenedAt));
  const packed = Buffer.alloc(kept.length * SIZE);
  for (const [n, [fingerprint, finding]] of kept.entries()) {
    const at = n * SIZE;
    packed.write(fingerprint, at, 16, 'base64url');
    packed.write(finding.id.replaceAll('-', ''), at + 16, 16, 'hex');
    packed.writeUInt32BE(finding.version, at + 32);
    packed.writeUInt8(FINDING_STATUSES.indexOf(finding.status), at + 36);
    packed.writeUInt8(finding.follows ? FINDING_STATUSES.indexOf(finding.follows.was.status) : NONE, at + 37);
    packed.writeUInt8(Severity.options.indexOf(finding.severity) | (finding.isRepeated ? REPEATED : 0), at + 38);
    packed.writeUInt8(finding.priority, at + 39);
    packed.writeDoubleBE(Date.parse(finding.firstSeenAt), at + 40);
    packed.writeDoubleBE(finding.reopenedAt === undefined ? Number.NaN : Date.parse(finding.reopenedAt), at + 48);
  }
  return Buffer.concat([headerOf(left), packed]);
}

const isExact = (time: string | undefined): boolean => time === undefined || timeOf(Date.parse(time)) === time;
const timeOf = (ms: number): string | undefined => (Number.isNaN(ms) ? undefined : new Date(ms).toISOString());

/**
 * The rows beside a state; none where the state is of another task than an import, or of an earlier release, or where the findings were in
 * another collection: another branch has become the default branch.
 */
export async function readRemembered(
  bucket: Bucket,
  stateKey: string | undefined,
  { name }: typeof findings,
): Promise<Remembered> {
  const part = stateKey === undefined ? undefined : await readPart(bucket, rowsKeyOf(stateKey));
  if (part?.entity !== name) return NOTHING;
  const { rows, since } = part;
  const find = (fingerprint: string) => {
    const place = findPacked(rows, SIZE, Buffer.from(fingerprint, 'base64url'));
    return place < 0 ? undefined : findingAt(rows, place * SIZE);
  };
  return { find, count: rows.length / SIZE, since };
}

function findingAt(rows: Buffer, at: number): RememberedFinding | undefined {
  const [status, was] = [FINDING_STATUSES[rows.readUInt8(at + 36)], FINDING_STATUSES[rows.readUInt8(at + 37)]];
  const said = rows.readUInt8(at + 38);
  const [severity, firstSeenAt] = [Severity.options[said & ~REPEATED], timeOf(rows.readDoubleBE(at + 40))];
  if (!status || !severity || firstSeenAt === undefined) return undefined;
  return {
    id: idOfHex(rows.toString('hex', at + 16, at + 32)),
    version: rows.readUInt32BE(at + 32),
    status,
    severity,
    priority: rows.readUInt8(at + 39),
    firstSeenAt,
    reopenedAt: timeOf(rows.readDoubleBE(at + 48)),
    ...(was && { follows: { was: { status: was } } }),
    ...((said & REPEATED) > 0 && { isRepeated: true }),
  };
}
