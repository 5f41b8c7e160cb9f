import type { Table } from '../table/table.ts';
import { auditIndex, followUp } from './audit.ts';
import { type Announced, announcedIn, sheetsAfter } from './log.ts';

/** Places of the index that are looked up for an answer, newest first. */
const PLACES = 20;
/** A change is numbered seconds after it was made; after an outage of the numbering, up to this much later. */
const LATE_MS = 3_600_000;
const LAST = '9999';

/** `of`: the place in the index, such as `byRecord('asset', id)`. `before`: `next` of the answer before. */
type Query = { of: string; from?: string | undefined; to?: string | undefined; before?: number | undefined };
type Wanted = { limit: number; fits: (announced: Announced) => boolean };

/** A page of the audit log, newest first. It may hold fewer than `limit` and still have `next`. */
export async function readAudit(
  table: Table,
  query: Query,
  { limit, fits }: Wanted,
): Promise<{ data: Announced[]; next: number | null }> {
  await followUp(table);
  const places = await placesFor(table, query);
  const looked = (
    await Promise.all(places.slice(0, PLACES).map(({ number }) => sheetsAfter(table, number - 1, 1)))
  ).flat();
  const sheets = new Map(looked.map((sheet) => [sheet.first, sheet]));
  const all = [...sheets.values()].flatMap(announcedIn).sort((a, b) => b.number - a.number);
  const found = all.filter((announced) => isAsked(announced, query) && fits(announced));
  const data = found.slice(0, limit);
  const isRest = found.length > data.length;
  const last = isRest ? data.at(-1)?.number : all.at(-1)?.number;
  return { data, next: isRest || places.length > PLACES ? (last ?? null) : null };
}

async function placesFor(table: Table, { of, from = '0', to, before }: Query) {
  const [bound] = before === undefined ? [] : await sheetsAfter(table, before - 2, 1);
  const end = [to ? lateAfter(to) : LAST, bound ? bound.at : LAST].toSorted()[0] ?? LAST;
  const between = { from, to: `${end}~` };
  if (from > between.to) return [];
  return table.rows(auditIndex).query(of, { between, backward: true, limit: PLACES + 1, consistent: true });
}

/** The text of a year behind 9999 begins with `+`, which sorts before all others. */
function lateAfter(to: string): string {
  const late = new Date(Date.parse(to) + LATE_MS).toISOString();
  return late.startsWith('+') ? LAST : late;
}

const isAsked = ({ number, entry }: Announced, { from, to, before }: Query): boolean =>
  (before === undefined || number < before) &&
  (from === undefined || entry.at >= from) &&
  (to === undefined || entry.at <= to);
