import { IDENTITIES } from '#shared/findings/view/scan-state.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { FileError } from '#shared/platform/runtime/errors.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import type { Line } from './entry.ts';
import { storeInventories } from './inventory/reported.ts';
import { findReading, linesOf, type Reading, sightedIn } from './kept-reading.ts';
import { knownOf } from './lookup.ts';
import type { Manifest } from './manifest.ts';
import { verifyWhole } from './open-report.ts';
import type { Accepted, Read } from './phases.ts';
import { readSent } from './read-report.ts';
import { keepSightings } from './sightings.ts';
import type { Slice } from './slicer.ts';
import { asksForWhole, unchangedSince } from './unchanged.ts';

/** The report as an earlier slice or an earlier import read it, or as it is read now. */
export async function readReport(accepted: Accepted, slice: Pick<Slice, 'startedMs'>): Promise<Read> {
  const manifest = await readJson<Manifest>(accepted.connections.bucket, accepted.files.manifest);
  if (manifest) return { ...accepted, manifest };
  return (await readByOther(accepted)) ?? readSent(accepted, slice);
}

/** The report as the last import of the scan scope read it, where that reading may be taken for this one's. */
async function readByOther(accepted: Accepted): Promise<Read | undefined> {
  if (accepted.earlier.state.identities !== IDENTITIES) return undefined;
  const reading = await findReading(accepted);
  if (!reading || !(await isWhole(accepted)) || !(await isEnough(accepted, reading))) return undefined;
  await keepSightings(accepted, sightedIn(reading));
  return taken(accepted, reading);
}

/** Whether the upload is as declared. If not, the reading of the report finds the error that its sender gets. */
async function isWhole(accepted: Accepted): Promise<boolean> {
  try {
    await verifyWhole(accepted);
    return true;
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** So many findings may have changed since the last scan, or a tenth of all: their rows are read twice. */
const FEW = 10;

/** Whether no entry needs its finding, which only the report has. One that changes later gets its finding from there (`withFindings`). */
async function isEnough(accepted: Accepted, { chunks, manifest }: Reading): Promise<boolean> {
  const isUnchanged = await unchangedSince(accepted);
  const changed: Line[] = [];
  for (const chunk of chunks) {
    changed.push(...(await linesOf(chunk)).filter((line) => !line.finding && !isUnchanged(line)));
    if (changed.length > Math.max(FEW, manifest.findings / 10)) return false;
  }
  const known = await knownOf(accepted, { entries: changed, consistent: false });
  return !known.some((one) => asksForWhole(one, accepted.at));
}

/** A large report leaves its files for later slices, as if it had been read. */
async function taken(accepted: Accepted, { manifest, inventories, chunks }: Reading): Promise<Read> {
  const { files, connections } = accepted;
  const read = { ...accepted, manifest, inventories, statements: [] };
  if (manifest.chunks === 0) return { ...read, entries: chunks[0] ? await linesOf(chunks[0]) : [] };
  await eachAtOnce([...chunks.entries()], WRITES_AT_ONCE, ([n, chunk]) =>
    connections.bucket.put(files.chunk(n), chunk),
  );
  await storeInventories(accepted, inventories, true);
  await connections.bucket.put(files.manifest, JSON.stringify(manifest));
  return read;
}

const WRITES_AT_ONCE = 10;
