/**
 * The findings that the scans of one scan scope saw: one packed object, 49 bytes a finding, so that seeing 100,000
 * findings again is one read of 5 MB and no write to the table. A header line of JSON, then records in order of
 * fingerprint: 16 bytes fingerprint, 16 bytes finding id, 8 bytes content hash, the last sighting (4 bytes of seconds,
 * 10 bits of milliseconds), in how many reports (22 bits), and the tool's place in the header.
 */
export type SeenRecord = {
  fingerprint: string;
  id: string;
  contentHash: string;
  /** Milliseconds since the epoch: the time of the newest report that has the finding. */
  seenAt: number;
  occurrences: number;
  /** The tool (`sourceOf`) whose scans see the finding. */
  tool: string;
};

/** `identities`: the release of the readers that computed the fingerprints. */
export type ScanState = { tools: string[]; records: Buffer; identities: number };

/** Increase where readers compute the identity of a problem otherwise: the next report of each scan scope brings its findings over. */
export const IDENTITIES = 2;

const SIZE = 49;
export const emptyState: ScanState = { tools: [], records: Buffer.alloc(0), identities: IDENTITIES };

const stateSize = ({ records }: ScanState): number => records.length / SIZE;

/** The number of reports shares four bytes with the milliseconds, which older states left zero. */
const MAX_OCCURRENCES = 2 ** 22 - 1;

/** One byte names a tool. Further tools share one number without a name: no scan closes their findings. */
const MAX_TOOLS = 255;

/** @param records in any order */
export function packState(records: readonly SeenRecord[], identities = IDENTITIES): Buffer {
  const tools = [...new Set(records.map(({ tool }) => tool))].slice(0, MAX_TOOLS);
  const places = new Map(tools.map((tool, place) => [tool, place]));
  const sorted = records
    .map((record) => ({ record, order: bytesOf(record.fingerprint).toString('hex') }))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  const packed = Buffer.alloc(sorted.length * SIZE);
  for (const [n, { record }] of sorted.entries())
    write(packed, n * SIZE, { record, tool: places.get(record.tool) ?? MAX_TOOLS });
  return Buffer.concat([Buffer.from(`${JSON.stringify({ version: 1, tools, identities })}\n`), packed]);
}

export function unpackState(bytes: Uint8Array | undefined): ScanState {
  if (!bytes) return emptyState;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.indexOf(10);
  const header = JSON.parse(buffer.toString('utf8', 0, end)) as Pick<ScanState, 'tools'> & Partial<ScanState>;
  return { tools: header.tools, records: buffer.subarray(end + 1), identities: header.identities ?? 1 };
}

export function findSeen(state: ScanState, fingerprint: string): SeenRecord | undefined {
  const wanted = bytesOf(fingerprint);
  let [low, high] = [0, stateSize(state) - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = state.records.compare(wanted, 0, 16, middle * SIZE, middle * SIZE + 16);
    if (order === 0) return seenAt(state, middle);
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** Searches the ids byte by byte: 5 MB take about a millisecond, without unpacking. */
export function findSeenById(state: ScanState, id: string): SeenRecord | undefined {
  const wanted = Buffer.from(id.replaceAll('-', ''), 'hex');
  for (let at = state.records.indexOf(wanted); at >= 0; at = state.records.indexOf(wanted, at + 1))
    if (at % SIZE === 16) return seenAt(state, (at - 16) / SIZE);
  return undefined;
}

function seenAt({ tools, records }: ScanState, n: number): SeenRecord {
  const at = n * SIZE;
  const shared = records.readUInt32BE(at + 44);
  return {
    fingerprint: records.toString('base64url', at, at + 16),
    id: uuidOf(records.toString('hex', at + 16, at + 32)),
    contentHash: records.toString('base64url', at + 32, at + 40),
    seenAt: records.readUInt32BE(at + 40) * 1000 + (shared >>> 22),
    occurrences: shared & MAX_OCCURRENCES,
    tool: tools[records.readUInt8(at + 48)] ?? '',
  };
}

export function* allSeen(state: ScanState): Generator<SeenRecord> {
  for (let n = 0; n < stateSize(state); n++) yield seenAt(state, n);
}

function write(packed: Buffer, at: number, { record, tool }: { record: SeenRecord; tool: number }): void {
  packed.write(record.fingerprint, at, 16, 'base64url');
  packed.write(record.id.replaceAll('-', ''), at + 16, 16, 'hex');
  packed.write(record.contentHash, at + 32, 8, 'base64url');
  packed.writeUInt32BE(Math.floor(record.seenAt / 1000), at + 40);
  const occurrences = Math.min(record.occurrences, MAX_OCCURRENCES);
  packed.writeUInt32BE((record.seenAt % 1000) * (MAX_OCCURRENCES + 1) + occurrences, at + 44);
  packed.writeUInt8(tool, at + 48);
}

const bytesOf = (fingerprint: string): Buffer => Buffer.from(fingerprint, 'base64url');
const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
