import { DAY_MS, now, nowMs } from '#shared/platform/runtime/clock.ts';
import type { FeedFile } from '../files.ts';

const FIRST_YEAR = 2002;
const CHANGES = 'nvdcve-2.0-modified.json.gz';
/** The file of changes covers eight days. */
const CHANGES_DAYS = 7;
const CHANGES_EVERY_MS = 2 * 3600 * 1000;

const isFile = (address: string): boolean => /\.json(\.gz)?$/.test(address);

/** The file of changes, or the only one. */
const changesIn = (address: string): string => (isFile(address) ? address : new URL(CHANGES, `${address}/`).href);

/** The other files of a folder, the newest year first. */
function yearsIn(address: string): string[] {
  if (isFile(address)) return [];
  const last = new Date(nowMs()).getUTCFullYear();
  const years = Array.from({ length: last - FIRST_YEAR + 1 }, (_, n) => last - n);
  return years.map((year) => new URL(`nvdcve-2.0-${year}.json.gz`, `${address}/`).href);
}

/**
 * The files to request now: the changes every two hours, each year once, and each year again after a gap in the
 * changes.
 */
export function dueFiles(address: string, known: readonly FeedFile[]): string[] {
  const rows = new Map(known.map((row) => [row.file, row]));
  const changes = rows.get(changesIn(address));
  const isDue = !changes || Date.parse(changes.checkedAt) <= nowMs() - CHANGES_EVERY_MS;
  const years = yearsIn(address).filter((file) => {
    const row = rows.get(file);
    return !row || row.checkedAt <= (changes?.gapUntil ?? '');
  });
  return [...(isDue ? [changesIn(address)] : []), ...years];
}

/** Adds the gap to the state of the file of changes. */
export const keptFile = (address: string, next: FeedFile, before: FeedFile | undefined): FeedFile =>
  next.file === changesIn(address) ? { ...next, gapUntil: gapAfter(before) } : next;

function gapAfter(before: FeedFile | undefined): string | undefined {
  const isGap = before !== undefined && Date.parse(before.checkedAt) < nowMs() - CHANGES_DAYS * DAY_MS;
  return isGap ? now() : before?.gapUntil;
}
