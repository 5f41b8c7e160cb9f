import { isDeepStrictEqual } from 'node:util';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import type { SeenRecord } from '#shared/findings/view/scan-state.ts';
import { sightingChanges } from './changes.ts';
import type { Chunk } from './chunk.ts';
import { wholeEntry } from './entry.ts';
import type { Accepted } from './phases.ts';
import { type Noted, noteChanges, noted } from './undo-log.ts';

/** The first chunks of a report keep the texts that it replaces, some 32,000 findings: who undoes an import reads them all. */
export const NOTED_CHUNKS = 16;

type Known = { finding: StoredFinding; changes: Partial<StoredFinding>; seen: SeenRecord | undefined };

/** Keeps what this chunk changes of known findings, for when the import is undone. */
export async function noteKnown(accepted: Accepted, { known, whole, exploited }: Chunk): Promise<void> {
  const { submission: scan, learned, progress } = accepted;
  const { chunk } = progress.checkpoint;
  const about = { ...accepted, ...learned, exploited, scan };
  const changed = known.flatMap(({ entry, current, seen, base, merged }): Known[] => {
    const finding = current && !base && !merged ? whole.get(current.id) : undefined;
    const changes = finding && sightingChanges(finding, { ...about, entry: wholeEntry(entry), seen });
    return finding && changes ? [{ finding, changes, seen }] : [];
  });
  const reopened = changed.filter(({ changes }) => changes.status);
  const updated = changed.filter(({ changes }) => !changes.status && changes.contentHash !== undefined);
  await noteChanges(
    accepted,
    (files) => files.reopened,
    reopened.map(({ finding, changes }) => noted(finding, changes)),
  );
  if (chunk < NOTED_CHUNKS) await noteChanges(accepted, (files) => files.updated(chunk), updated.map(contentOf));
}

/** Not the report's own: they say when and by whom a finding was seen. */
const OF_SIGHTING = ['firstSeenAt', 'taskId', 'engagementId', 'scope'];
/** Of the feeds: they move with these. */
const OF_FEEDS = ['epss', 'kev'];

function contentOf({ finding, changes, seen }: Known): Noted {
  const { id, from } = noted(finding, changes);
  const isSame = (name: string) => isDeepStrictEqual(from[name], Reflect.get(changes, name) ?? null);
  const left = [...OF_SIGHTING, ...(isSame('cves') ? OF_FEEDS : [])];
  const differing = Object.entries(from).filter(([name]) => !left.includes(name) && !isSame(name));
  return { id, from: Object.fromEntries(differing), seen, hash: changes.contentHash };
}
