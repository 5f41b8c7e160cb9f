import { imageName } from '#shared/assets/targets/image.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { listedAssetName, MAX_LISTED } from '#shared/findings/finding/reported.ts';
import { allSeen, findSeen, IDENTITIES } from '#shared/findings/view/scan-state.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import { wholeRecordsAt } from '#shared/platform/table/selected.ts';
import { bounded, pathInTree } from '#shared/reports/readers/text.ts';
import { withoutVersions } from '#shared/reports/readers/versioned-path.ts';
import { type Entry, fingerprintsOf, wholeEntry } from './entry.ts';
import type { Read } from './phases.ts';
import { loadChunk } from './read-report.ts';

/**
 * Pairs findings whose identity an earlier release computed otherwise with the entries that continue them, so that their ids,
 * decisions and history stay. Runs once for each scan scope: the state that a report leaves names the release of its identities.
 */
export async function carryOver(read: Read): Promise<Read> {
  const { connections, files, earlier } = read;
  if (earlier.state.identities === IDENTITIES) return read;
  const kept = await readJson<Record<string, string>>(connections.bucket, files.carried);
  const pairs = kept ?? Object.fromEntries(await pairsOf(read));
  if (!kept) await connections.bucket.put(files.carried, JSON.stringify(pairs));
  return { ...read, carried: new Map(Object.entries(pairs)) };
}

type Side = { id: string; line: number | undefined };
type Sides = Map<string, Side[]>;

/** The ids of findings by the fingerprints of the entries that continue them. */
async function pairsOf(read: Read): Promise<[string, string][]> {
  const { strangers, reported } = await newEntries(read);
  if (strangers.size === 0) return [];
  const missing = await missingFindings(read, reported, strangers);
  return [...missing].flatMap(([problem, before]) => pair(before, strangers.get(problem) ?? []));
}

/** Findings and entries on the same line belong together; of the others one can only be the other. */
function pair(before: readonly Side[], after: readonly Side[]): [string, string][] {
  const lineOf = ({ line }: Side) => line ?? 0;
  const [old, now] = [Map.groupBy(before, lineOf), Map.groupBy(after, lineOf)];
  const same = [...old].flatMap(([line, [one, ...more]]) => {
    const [other, ...others] = now.get(line) ?? [];
    return one && other && more.length + others.length === 0 ? [[one, other] as const] : [];
  });
  const taken = new Set(same.flat());
  const [left, right] = [before, after].map((side) => side.filter((one) => !taken.has(one)));
  const [one, other] = [left?.[0], right?.[0]];
  const last = one && other && left?.length === 1 && right?.length === 1 ? [[one, other] as const] : [];
  return [...same, ...last].map(([{ id }, entry]) => [entry.id, id]);
}

/** The entries that the scan scope has not seen, by their problem, and the ids of the findings that the report names. */
async function newEntries(read: Read): Promise<{ strangers: Sides; reported: Set<string> }> {
  const strangers: Sides = new Map();
  const reported = new Set<string>();
  for (let chunk = 0; chunk < Math.max(1, read.manifest.chunks); chunk++)
    for (const entry of await loadChunk(read, chunk)) {
      const seen = fingerprintsOf(entry).flatMap((one) => findSeen(read.earlier.state, one) ?? [])[0];
      if (seen) reported.add(seen.id);
      else add(strangers, problemOfEntry(wholeEntry(entry)), sideOf(wholeEntry(entry)));
    }
  return { strangers, reported };
}

const sideOf = ({ fingerprint, finding }: Entry): Side => ({ id: fingerprint, line: finding.location.line });

const AT_ONCE = 200;

/** The findings that the scan scope saw before and this report does not name, by their problem where a new entry has the same. */
async function missingFindings({ table, entity, earlier }: Read, reported: Set<string>, of: Sides): Promise<Sides> {
  const ids = [...allSeen(earlier.state)].flatMap(({ id }) => (reported.has(id) ? [] : id));
  const found: Sides = new Map();
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const ordinals = ids.slice(at, at + AT_ONCE).map(ordinalOf);
    for (const one of await wholeRecordsAt(table, entity, { ordinals, consistent: true })) {
      const problem = problemOfFinding(one);
      if (of.has(problem)) add(found, problem, { id: one.id, line: one.locationDetail?.line });
    }
  }
  return found;
}

function add(sides: Sides, problem: string, side: Side): void {
  const others = sides.get(problem);
  if (others) others.push(side);
  else sides.set(problem, [side]);
}

type Problem = Pick<StoredFinding, 'title' | 'component'> & {
  tool: string;
  asset: { type: string; name: string; zone: string | null };
  ruleId: string;
  cves: readonly string[];
  location: NonNullable<StoredFinding['locationDetail']>;
};

/** The problem as both releases name it: the same rule or vulnerability of the same package at the same place of the same asset. */
function problemOf({ tool, asset, ruleId, title, cves, component, location }: Problem): string {
  const { path, url, host, port } = location;
  const name = asset.type === 'container_image' ? imageName(asset.name) : asset.name;
  const place = path === undefined ? [url, host, port] : [withoutVersions(pathInTree(path))];
  const rule = bounded(ruleId || title, MAX_LISTED.name);
  return JSON.stringify([
    tool.toLowerCase(),
    asset.type,
    asset.zone,
    name,
    rule,
    [...cves].sort(),
    component?.name,
    place,
  ]);
}

const problemOfEntry = ({ tool, asset: { type, value, zone }, finding }: Entry): string =>
  problemOf({ ...finding, tool, asset: { type, zone, name: listedAssetName(value) } });

const problemOfFinding = ({ locationDetail = {}, identifiers, ruleId = '', ...finding }: StoredFinding): string =>
  problemOf({ ...finding, ruleId, cves: identifiers?.cves ?? finding.cves, location: locationDetail });
