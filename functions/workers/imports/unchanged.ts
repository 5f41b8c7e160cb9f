import { findSeen, IDENTITIES } from '#shared/findings/view/scan-state.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { readReport as eventsOf } from '#shared/reports/formats/read.ts';
import type { ReportFinding } from '#shared/reports/report/report.ts';
import { mayChange } from './changes.ts';
import { type Entry, type Line, withoutIdentity } from './entry.ts';
import { contentHashOf } from './fingerprint.ts';
import { openReport } from './open-report.ts';
import type { Accepted, KnownEntry } from './phases.ts';
import { isNew } from './reserved.ts';

/** A report that names a problem again which was taken for unchanged: each of its entries is to be read whole. */
export class RepeatsUnchanged extends Error {}

export type IsUnchanged = (entry: Line) => boolean;

/**
 * Whether an entry says what the last report said about a finding that nobody changed since. Such an entry is kept without its
 * finding: it would be written, read and thrown away.
 */
export async function unchangedSince({ earlier: { state, ...earlier }, at }: Accepted): Promise<IsUnchanged> {
  const remembered = await earlier.remembered();
  const newer = remembered.count > 0 && state.identities === IDENTITIES && (await (await earlier.changed()).versions());
  if (!newer) return () => false;
  return (entry) => {
    const seen = findSeen(state, entry.fingerprint);
    if (seen?.contentHash !== entry.contentHash || entry.isKeyed) return false;
    const finding = remembered.find(entry.fingerprint);
    if (finding?.id !== seen.id || finding.isRepeated || (newer.get(finding.id) ?? 0) > finding.version) return false;
    return !mayChange(finding, { entry, seen, at });
  };
}

/** Whether something of the entry's finding may have to be written. */
export const asksForWhole = ({ entry, current, seen, base, merged, isRenamed }: KnownEntry, at: string): boolean =>
  isNew({ current, base, merged }) ||
  merged !== undefined ||
  (current !== undefined && (isRenamed === true || mayChange(current, { entry, seen, at })));

/** The same with the findings of entries that were unchanged when the report was read, and are not any more. */
export async function withFindings(accepted: Accepted, known: KnownEntry[]): Promise<KnownEntry[]> {
  const nthOf = (one: KnownEntry) =>
    one.entry.finding === undefined && asksForWhole(one, accepted.at) ? one.entry.nth : undefined;
  const wanted = new Set(known.flatMap((one) => nthOf(one) ?? []));
  if (wanted.size === 0) return known;
  const found = await findingsAt(accepted, wanted);
  return known.map((one) => {
    const finding = found.get(nthOf(one) ?? -1);
    return finding ? { ...one, entry: withFinding(one.entry, finding) } : one;
  });
}

/** @throws Error where another release reads the report in another way, so that its places are those of other findings */
function withFinding(entry: Line, reported: ReportFinding): Entry {
  const { secret: _none, ...plain } = reported;
  if (contentHashOf(plain) !== entry.contentHash)
    throw new Error(`the report has another finding in the place of ${entry.fingerprint}: send the report again`);
  return { ...entry, finding: withoutIdentity(reported) };
}

/** Reads the report again, for the findings that it names at these places. */
async function findingsAt(accepted: Accepted, places: ReadonlySet<number>): Promise<Map<number, ReportFinding>> {
  const found = new Map<number, ReportFinding>();
  let nth = 0;
  const { submission } = accepted;
  for await (const event of eventsOf(submission.format, () => openReport(accepted, nowMs()), submission)) {
    if (event.kind !== 'finding') continue;
    if (places.has(nth)) found.set(nth, event.finding);
    if (found.size === places.size) break;
    nth += 1;
  }
  return found;
}
