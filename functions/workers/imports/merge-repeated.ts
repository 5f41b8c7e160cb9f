import type { DescribedFinding, KeyedFinding } from '#shared/findings/finding/reported.ts';
import { unzipped, zipped } from '#shared/platform/runtime/gzip.ts';
import { SEVERITIES } from '#shared/platform/runtime/severities.ts';
import { readLines } from '#shared/platform/runtime/stored-json.ts';
import { LIMITS, type ReportLocation } from '#shared/reports/report/report.ts';
import type { Entry, Line } from './entry.ts';
import { contentHashOf } from './fingerprint.ts';
import { CHUNK_ENTRIES } from './manifest.ts';
import type { Accepted } from './phases.ts';
import { RepeatsUnchanged } from './unchanged.ts';

/**
 * Adds entries to the chunks that were written before they came.
 * @param repeats by the chunk and the line of the first entry: `chunk * CHUNK_ENTRIES + line`
 */
export async function mergeRepeats(
  { connections: { bucket }, files }: Accepted,
  repeats: ReadonlyMap<number, Entry>,
): Promise<void> {
  for (const [chunk, some] of Map.groupBy(repeats, ([first]) => Math.floor(first / CHUNK_ENTRIES))) {
    const key = files.chunk(chunk);
    const bytes = await bucket.get(key);
    if (!bytes) throw new Error(`${key} is gone`);
    const entries = readLines<Line>(await unzipped(bytes));
    for (const [first, entry] of some) {
      const [line, current] = [first % CHUNK_ENTRIES, entries[first % CHUNK_ENTRIES]];
      if (current && !current.finding) throw new RepeatsUnchanged();
      if (current) entries[line] = mergedEntry(current, entry);
    }
    await bucket.put(key, await zipped(entries.map((entry) => JSON.stringify(entry)).join('\n'), 1));
  }
}

/**
 * One entry of two with the same fingerprint: the higher severity, and the fixed versions, identifiers, references, tags and
 * places of both. The result does not depend on their order.
 */
export function mergedEntry(one: Entry, other: Entry): Entry {
  const [first, second] = [one, other].toSorted(inOrder);
  if (!first || !second) return one;
  const finding = mergedFinding(first.finding, second.finding);
  if (isSame(finding, first.finding)) return { ...first, isRepeated: true };
  return {
    ...first,
    isRepeated: true,
    finding,
    contentHash: contentHashOf({ ...finding, asset: null, identity: [] } as KeyedFinding),
  };
}

const rank = ({ finding }: Entry): number => SEVERITIES.indexOf(finding.severity);

const inOrder = (a: Entry, b: Entry): number =>
  rank(a) - rank(b) || (JSON.stringify(a.finding) < JSON.stringify(b.finding) ? -1 : 1);

function mergedFinding(first: DescribedFinding, second: DescribedFinding): DescribedFinding {
  const { component, otherLocations } = first;
  const places = placesOf(first, second);
  const fixedVersions = component?.fixedVersions ?? [];
  return {
    ...first,
    cves: union(first.cves, second.cves, LIMITS.identifiers),
    cwes: union(first.cwes, second.cwes, LIMITS.identifiers),
    references: union(first.references, second.references, LIMITS.references),
    tags: union(first.tags, second.tags, LIMITS.tags),
    ...(component && {
      component: {
        ...component,
        fixedVersions: union(fixedVersions, second.component?.fixedVersions ?? [], LIMITS.fixedVersions),
      },
    }),
    ...((otherLocations || places.length > 0) && { otherLocations: places }),
  };
}

/** The same list where the other adds nothing, so that nothing seems changed. */
function union(some: readonly string[], others: readonly string[], most: number): string[] {
  const added = others.filter((text) => !some.includes(text));
  return added.length === 0 ? [...some] : [...new Set([...some, ...added])].toSorted().slice(0, most);
}

function placesOf(first: DescribedFinding, second: DescribedFinding): ReportLocation[] {
  const own = first.otherLocations ?? [];
  const known = new Set([first.location, ...own].map(printed));
  const added = [second.location, ...(second.otherLocations ?? [])].filter((place) => !known.has(printed(place)));
  if (added.length === 0) return own;
  const all = new Map([...own, ...added].map((place) => [printed(place), place]));
  const kept: ReportLocation[] = [];
  let size = 0;
  for (const [text, place] of [...all].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    size += Buffer.byteLength(text);
    if (size > LIMITS.otherLocations) break;
    kept.push(place);
  }
  return kept;
}

/** A place without its host: of one asset, two hosts are two of its names. */
const printed = ({ host: _, ...place }: ReportLocation): string => JSON.stringify(Object.entries(place).toSorted());

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
