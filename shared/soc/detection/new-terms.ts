import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { shortHash } from './count-rows.ts';
import type { ReadyRule } from './ready-rule.ts';
import type { Sighting } from './sightings.ts';

type TermRow = { term: string; lastAt: string; expiresAt: string };

export const termRows = defineRow<TermRow, Pick<TermRow, 'term'>>({
  name: 'detection-term',
  about: 'when a rule for new values last saw these values',
  key: ({ term }) => [term],
  expiresAt: ({ expiresAt }) => expiresAt,
});

const HOUR_MS = 3_600_000;
const DAY_SECONDS = 86_400;
/** Rows outlive their window, because events come late. */
const LATE_SECONDS = 2 * DAY_SECONDS;
/** A batch with more new values is a change of the source rather than an attack: it gets one alert for the others. */
const MAX_NEW = 100;
const ROWS_AT_ONCE = 90;
const MAX_ROUNDS = 100;

/** Another worker met the same values in this moment. */
class Taken extends Error {}

/** The events of a batch with the same values. */
type Term = { row: TermRow; before: TermRow | undefined; sightings: readonly Sighting[] };
/** Values that are new, with the write that records this. */
export type NewTerm = { sightings: readonly Sighting[]; settles: Write };
type Raise = (found: { terms: readonly NewTerm[]; others: readonly Sighting[] }) => Promise<void>;

/**
 * Records the values that a rule sees, and raises those that it has not seen within its window. A new value is recorded in the transaction of its
 * alert, so that it is raised once, however often its batch comes and wherever a worker is killed.
 */
export async function noteTerms(table: Table, sightings: readonly Sighting[], raise: Raise): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    try {
      return await noteOnce(table, sightings, raise);
    } catch (error) {
      if (!(error instanceof Taken)) throw error;
    }
  }
  throw new Overtaken();
}

async function noteOnce(table: Table, sightings: readonly Sighting[], raise: Raise): Promise<void> {
  const { isNew = [], isLearned = [] } = Object.groupBy(await termsOf(table, sightings), (term) =>
    isNewTerm(term) ? 'isNew' : 'isLearned',
  );
  const terms = isNew.slice(0, MAX_NEW).map((term) => ({ ...term, settles: writeOf(table, term) }));
  const others = isNew.slice(MAX_NEW);
  if (isNew.length > 0) await raise({ terms, others: others.flatMap((term) => term.sightings) });
  for (const some of chunksOf([...others, ...isLearned.filter(isWorthIt)], ROWS_AT_ONCE)) {
    const batch = table.batch();
    batch.write(...some.map((term) => writeOf(table, term)));
    await batch.commit();
  }
}

const windowMs = ({ text }: ReadyRule): number => (text.newTerms?.windowSeconds ?? 0) * 1000;

async function termsOf(table: Table, sightings: readonly Sighting[]): Promise<Term[]> {
  const seen = [...Map.groupBy(sightings, ({ rule, group }) => termOf(rule, group))];
  const rows = await table.rows(termRows).findMany(
    seen.map(([term]) => ({ term })),
    true,
  );
  const known = new Map(rows.map((row) => [row.term, row]));
  return seen.flatMap(([term, ofTerm]) => {
    const [first] = ofTerm;
    if (!first) return [];
    const before = known.get(term);
    const lastAt = [...ofTerm.map((one) => one.lastAt), before?.lastAt ?? ''].sort().at(-1) ?? '';
    const expiresAt = inSeconds(windowMs(first.rule) / 1000 + LATE_SECONDS);
    return [{ row: { term, lastAt, expiresAt }, before, sightings: ofTerm }];
  });
}

/** Values of other fields are other values. */
const termOf = ({ id, text }: ReadyRule, group: readonly string[]): string =>
  shortHash(id, text.newTerms?.fields, group);

/** A rule that learns, and a signal, raise nothing. */
function isNewTerm({ before, sightings: [first] }: Term): boolean {
  if (!first || first.rule.effect === 'signal' || first.firstAt < (first.rule.learnsUntil ?? '')) return false;
  return before === undefined || Date.parse(first.firstAt) - Date.parse(before.lastAt) > windowMs(first.rule);
}

/** A value that comes all the time is written once an hour. */
const isWorthIt = ({ row, before }: Term): boolean =>
  before === undefined || Date.parse(row.lastAt) - Date.parse(before.lastAt) > HOUR_MS;

const writeOf = ({ tenant }: Table, { row, before }: Term): Write =>
  putWrite(tenant, termRows, {
    row,
    expect: before ? { lastAt: before.lastAt } : 'absent',
    fail: () => new Taken(),
  });
