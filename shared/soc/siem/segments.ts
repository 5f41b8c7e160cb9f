import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { inTurns } from '#shared/platform/runtime/turns.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Severity } from '#shared/reports/report/report.ts';
import type { SiemEvent } from './event.ts';
import { newWordFilter } from './word-filter.ts';
import { addWordHashes } from './word-hashes.ts';
import { hostMark, pairMark, userMark } from './words.ts';

const [compress, decompress] = [promisify(zstdCompress), promisify(zstdDecompress)];

/** Everything under it is removed once the days of the organization's entitlement are over. */
export const EVENTS_PREFIX = 'siem/';

/** Events of one source and one hour, in the order of their times, as one object of the bucket. */
export type Segment = {
  /** `2026-01-15T08`, UTC. */
  hour: string;
  id: string;
  sourceId: string;
  /** The times of its first and last event. */
  from: string;
  to: string;
  events: number;
  /** Bytes of its original events. */
  bytes: number;
  /** The number of events by minute and severity: `07h` is the seventh minute, high. */
  counts: Record<string, number>;
};

export const segments = defineRow<Segment, Pick<Segment, 'hour' | 'to' | 'id'>>({
  name: 'siem-segment',
  about: 'events of a source within an hour: times, counts; they lie compressed in the bucket',
  key: ({ hour, to, id }) => [hour, `${to}_${id}`],
});

type Named = Pick<Segment, 'hour' | 'id'>;

export const segmentWords = defineRow<Named & { words: Uint8Array }, Named>({
  name: 'siem-words',
  about: 'the words, hosts and users of a segment as a Bloom filter of at most 64 KB',
  key: ({ hour, id }) => [hour, id],
});

/** A filter of their own stays exact beside many words, and is a hundredth to read. Segments of earlier releases have none. */
export const segmentPairs = defineRow<Named & { pairs: Uint8Array }, Named>({
  name: 'siem-pairs',
  about: 'the hosts with users of a segment, as a Bloom filter',
  key: ({ hour, id }) => [hour, id],
});

export const segmentKey = (organizationId: string, { hour, id }: Named): string =>
  `${EVENTS_PREFIX}${organizationId}/${hour}/${id}.zst`;

export const hourOf = (time: string): string => time.slice(0, 13);

const countName = ({ at, severity }: Pick<SiemEvent, 'at' | 'severity'>): string =>
  `${at.slice(14, 16)}${severity.slice(0, 1)}`;

/** The minute and the severity of a name in `counts`. */
export const readCountName = (name: string, hour: string): { minute: string; severity: string } => ({
  minute: `${hour}:${name.slice(0, 2)}:00.000Z`,
  severity: name.slice(2),
});

export const severityInitial = (severity: Severity): string => severity.slice(0, 1);

type Made = { segment: Segment; content: Buffer; filters: { words: Uint8Array; pairs: Uint8Array } };

/** A segment of these events, which are of one hour and in order. */
export async function makeSegment(id: string, events: readonly SiemEvent[]): Promise<Made> {
  const [first] = events;
  const last = events.at(-1);
  if (!first || !last) throw new Error('a segment has events');
  const { lines, filters, ...counted } = await inTurns(readForSegment(events));
  const hour = hourOf(first.at);
  const { sourceId } = first;
  const { bytes, counts } = counted;
  const segment = { hour, id, sourceId, from: first.at, to: last.at, events: events.length, bytes, counts };
  return { segment, content: await compress(lines.join('\n')), filters };
}

type Read = Pick<Segment, 'bytes' | 'counts'> & Pick<Made, 'filters'> & { lines: string[] };

/** Counts events and collects their words, with a turn for others after each. */
function* readForSegment(events: readonly SiemEvent[]): Generator<void, Read> {
  const counts: Record<string, number> = {};
  const [words, pairs] = [newWordFilter(), newWordFilter()];
  const lines: string[] = [];
  let bytes = 0;
  for (const event of events) {
    const name = countName(event);
    counts[name] = (counts[name] ?? 0) + 1;
    bytes += Buffer.byteLength(event.raw);
    addWordHashes(event, words.addHash);
    if (event.host) words.add(hostMark(event.host));
    if (event.user) words.add(userMark(event.user));
    if (event.host && event.user) pairs.add(pairMark(event.host, event.user));
    lines.push(lineOf(event));
    yield;
  }
  return { bytes, counts, lines, filters: { words: words.bits(), pairs: pairs.bits() } };
}

/** The lines of a segment, an event as JSON each, in order of time; none once it was removed. */
export async function readSegment(bucket: Bucket, organizationId: string, named: Named): Promise<string[]> {
  const content = await bucket.get(segmentKey(organizationId, named));
  return content ? (await decompress(content)).toString('utf8').split('\n') : [];
}

/** The message of many events is their whole text, which is stored once. */
const lineOf = (event: SiemEvent): string =>
  JSON.stringify(event.message === event.raw ? { ...event, message: undefined } : event);

/** The event of a line. The service itself wrote the line: a search reads thousands. */
export function eventIn(line: string): SiemEvent {
  const event = JSON.parse(line) as Omit<SiemEvent, 'message'> & { message?: string };
  return Object.assign(event, { message: event.message ?? event.raw });
}

/** The time of an event from its line: it is the first field. */
export const timeOfLine = (line: string): string => line.slice(7, 31);
