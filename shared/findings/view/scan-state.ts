import { idOfHex, ordinalIn } from '#shared/platform/runtime/ids.ts';
import { findPacked, PackedIndex, sortPacked } from '#shared/platform/runtime/packed.ts';

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
export type Sighting = Pick<SeenRecord, 'seenAt' | 'occurrences' | 'tool'>;

/** `identities`: the release of the readers that computed the fingerprints. */
export type ScanState = { tools: string[]; records: Buffer; identities: number };

/** Increase where readers compute the identity of a problem otherwise: the next report of each scan scope brings its findings over. */
export const IDENTITIES = 2;

const SIZE = 49;
export const emptyState: ScanState = { tools: [], records: Buffer.alloc(0), identities: IDENTITIES };

/** The places of the parts of a record. */
const [ID, HASH, SEEN, SHARED, TOOL] = [16, 32, 40, 44, 48];

const stateSize = ({ records }: ScanState): number => records.length / SIZE;

/** The number of reports shares four bytes with the milliseconds, which older states left zero. */
const MAX_OCCURRENCES = 2 ** 22 - 1;

/** One byte names a tool. Further tools share one number without a name: no scan closes their findings. */
const MAX_TOOLS = 255;

/** @param records in any order */
export function stateOf(records: readonly SeenRecord[], identities = IDENTITIES): ScanState {
  const tools = [...new Set(records.map(({ tool }) => tool))].slice(0, MAX_TOOLS);
  const places = new Map(tools.map((tool, place) => [tool, place]));
  const packed = Buffer.alloc(records.length * SIZE);
  for (const [n, record] of records.entries())
    write(packed, n * SIZE, { record, tool: places.get(record.tool) ?? MAX_TOOLS });
  return { tools, records: sortPacked(packed, SIZE), identities };
}

export const bytesOf = ({ tools, records, identities }: ScanState): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ version: 1, tools, identities })}\n`), records]);

/** @param records in any order */
export const packState = (records: readonly SeenRecord[], identities = IDENTITIES): Buffer =>
  bytesOf(stateOf(records, identities));

export function unpackState(bytes: Uint8Array | undefined): ScanState {
  if (!bytes) return emptyState;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.indexOf(10);
  const header = JSON.parse(buffer.toString('utf8', 0, end)) as Pick<ScanState, 'tools'> & Partial<ScanState>;
  return { tools: header.tools, records: buffer.subarray(end + 1), identities: header.identities ?? 1 };
}

export function findSeen(state: ScanState, fingerprint: string): SeenRecord | undefined {
  const place = findPacked(state.records, SIZE, Buffer.from(fingerprint, 'base64url'));
  return place < 0 ? undefined : seenAt(state, place);
}

/** Searches the ids byte by byte: 5 MB take about a millisecond, without unpacking. */
export function findSeenById(state: ScanState, id: string): SeenRecord | undefined {
  const wanted = Buffer.from(id.replaceAll('-', ''), 'hex');
  for (let at = state.records.indexOf(wanted); at >= 0; at = state.records.indexOf(wanted, at + 1))
    if (at % SIZE === 16) return seenAt(state, (at - 16) / SIZE);
  return undefined;
}

function seenAt(state: ScanState, n: number): SeenRecord {
  const { records } = state;
  const at = n * SIZE;
  return {
    fingerprint: records.toString('base64url', at, at + ID),
    id: idOfHex(records.toString('hex', at + ID, at + HASH)),
    contentHash: records.toString('base64url', at + HASH, at + SEEN),
    ...sightingAt(state, n),
  };
}

function sightingAt({ tools, records }: ScanState, n: number): Sighting {
  const at = n * SIZE;
  const shared = records.readUInt32BE(at + SHARED);
  return {
    seenAt: records.readUInt32BE(at + SEEN) * 1000 + (shared >>> 22),
    occurrences: shared & MAX_OCCURRENCES,
    tool: tools[records.readUInt8(at + TOOL)] ?? '',
  };
}

export function* allSeen(state: ScanState): Generator<SeenRecord> {
  for (let n = 0; n < stateSize(state); n++) yield seenAt(state, n);
}

/** The records whose last sighting is wanted. */
export function seenWhere(state: ScanState, isWanted: (sighting: Sighting) => boolean): SeenRecord[] {
  const found: SeenRecord[] = [];
  for (let n = 0; n < stateSize(state); n++) if (isWanted(sightingAt(state, n))) found.push(seenAt(state, n));
  return found;
}

/** The last sightings of a state, by ordinal; of a finding with several, the latest first. */
export function* sightingsInOrder(state: ScanState): Generator<Sighting & { ordinal: number }> {
  const { records } = state;
  const ordinals = Float64Array.from({ length: stateSize(state) }, (_, n) => ordinalIn(records, n * SIZE + ID));
  const times = Float64Array.from(ordinals.keys(), (n) => sightingAt(state, n).seenAt);
  const order = Uint32Array.from(ordinals.keys());
  const numberIn = (values: Float64Array, n: number) => values[n] ?? 0;
  order.sort((a, b) => numberIn(ordinals, a) - numberIn(ordinals, b) || numberIn(times, b) - numberIn(times, a));
  for (const n of order) yield { ordinal: numberIn(ordinals, n), ...sightingAt(state, n) };
}

/** The state without the records of these fingerprints. */
export function withoutSeen(state: ScanState, fingerprints: readonly string[]): ScanState {
  if (fingerprints.length === 0) return state;
  const gone = new Set(fingerprints.map((one) => findPacked(state.records, SIZE, Buffer.from(one, 'base64url'))));
  const places = Array.from({ length: stateSize(state) }, (_, n) => n).filter((n) => !gone.has(n));
  const records = Buffer.concat(places.map((n) => state.records.subarray(n * SIZE, (n + 1) * SIZE)));
  return { ...state, records };
}

/**
 * The state of a scan scope after a report: the sightings of the report, beside those that other reports left meanwhile.
 * @param seen those of the report; of two with one fingerprint the later counts
 */
export function stateAfter(seen: readonly ScanState[], before: ScanState): ScanState {
  const tools: string[] = [];
  const report = Buffer.concat(seen.map((state) => withTools(state, tools)));
  const earlier = withTools(before, tools);
  // by the finding: under another name of its asset it had another fingerprint
  const current = new PackedIndex(earlier, SIZE, ID);
  const prints = new PackedIndex(report, SIZE, 0);
  const after = Buffer.alloc(report.length + earlier.length);
  let size = 0;
  for (let at = 0; at < report.length; at += SIZE) {
    if (prints.find(report, at) * SIZE !== at) continue;
    report.copy(after, size, at, at + SIZE);
    const place = current.find(report, at + ID);
    if (place >= 0) takeEarlier(after, size, { earlier, at: place * SIZE });
    size += SIZE;
  }
  const ids = new PackedIndex(after.subarray(0, size), SIZE, ID);
  for (let at = 0; at < earlier.length; at += SIZE) {
    if (ids.find(earlier, at + ID) >= 0 || prints.find(earlier, at) >= 0) continue;
    size += earlier.copy(after, size, at, at + SIZE);
  }
  return { tools, records: sortPacked(after.subarray(0, size), SIZE), identities: IDENTITIES };
}

/** The records of a state, whose tools have places in a list that grows. */
function withTools({ tools, records }: ScanState, all: string[]): Buffer {
  const moved = Buffer.from(records);
  const places = new Map<number, number>();
  for (let at = TOOL; at < moved.length; at += SIZE) {
    const place = moved.readUInt8(at);
    moved.writeUInt8(places.get(place) ?? newPlace(all, tools[place] ?? ''), at);
    if (!places.has(place)) places.set(place, moved.readUInt8(at));
  }
  return moved;
}

function newPlace(all: string[], tool: string): number {
  const known = all.indexOf(tool);
  if (known >= 0 || all.length === MAX_TOOLS) return known < 0 ? MAX_TOOLS : known;
  return all.push(tool) - 1;
}

/** Counts a sighting beside the earlier ones of its finding, of which a later one stays. */
function takeEarlier(after: Buffer, to: number, { earlier, at }: { earlier: Buffer; at: number }): void {
  const occurrences = Math.min((earlier.readUInt32BE(at + SHARED) & MAX_OCCURRENCES) + 1, MAX_OCCURRENCES);
  if (timeIn(earlier, at) > timeIn(after, to)) earlier.copy(after, to + HASH, at + HASH, at + SIZE);
  const milliseconds = after.readUInt32BE(to + SHARED) >>> 22;
  after.writeUInt32BE(milliseconds * (MAX_OCCURRENCES + 1) + occurrences, to + SHARED);
}

const timeIn = (records: Buffer, at: number): number =>
  records.readUInt32BE(at + SEEN) * 1000 + (records.readUInt32BE(at + SHARED) >>> 22);

function write(packed: Buffer, at: number, { record, tool }: { record: SeenRecord; tool: number }): void {
  packed.write(record.fingerprint, at, 16, 'base64url');
  packed.write(record.id.replaceAll('-', ''), at + 16, 16, 'hex');
  packed.write(record.contentHash, at + 32, 8, 'base64url');
  packed.writeUInt32BE(Math.floor(record.seenAt / 1000), at + 40);
  const occurrences = Math.min(record.occurrences, MAX_OCCURRENCES);
  packed.writeUInt32BE((record.seenAt % 1000) * (MAX_OCCURRENCES + 1) + occurrences, at + 44);
  packed.writeUInt8(tool, at + 48);
}
