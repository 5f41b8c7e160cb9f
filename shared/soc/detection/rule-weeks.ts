import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import { defineRow, putWrite, rowKey, ttlOf } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { alerts, ruleWeek, weekOf } from '../alerts/alert.ts';
import { COUNTED_DAYS, countedBatches, shortHash } from './count-rows.ts';

type RuleWeek = { ruleId: string; week: string; matches: number };

export const ruleWeeks = defineRow<RuleWeek, Pick<RuleWeek, 'ruleId' | 'week'>>({
  name: 'detection-week',
  about: 'how many events a rule matched in a week',
  key: ({ ruleId, week }) => [ruleId, week],
});

const DAY_SECONDS = 86_400;
const WEEKS = 13;
const KEPT_DAYS = 7 * (WEEKS + 1);
/** Rows of a transaction. */
const RULES_AT_ONCE = 90;

class Known extends Error {}

/** Counts the matches of a batch once, however often the batch comes. */
export async function countMatches(table: Table, batchId: string, matches: ReadonlyMap<string, number>): Promise<void> {
  const week = weekOf(now());
  for (const [n, some] of chunksOf([...matches], RULES_AT_ONCE).entries()) {
    const batch = table.batch();
    const row = { key: shortHash(batchId, 'weeks', n), version: 0, expiresAt: inSeconds(COUNTED_DAYS * DAY_SECONDS) };
    batch.write(putWrite(table.tenant, countedBatches, { row, expect: 'absent', fail: () => new Known() }));
    for (const [ruleId, count] of some)
      batch.write({
        change: rowKey(table.tenant, ruleWeeks, { ruleId, week }),
        set: { ruleId, week, ttl: ttlOf(inSeconds(KEPT_DAYS * DAY_SECONDS)) },
        add: { matches: count },
      });
    try {
      await batch.commit();
    } catch (error) {
      if (!(error instanceof Known)) throw error;
    }
  }
}

/** The noise of a rule: matches and alerts of the latest weeks, the present one first. */
export async function weeksOf(table: Table, ruleId: string) {
  const weeks = Array.from({ length: WEEKS }, (_, n) => weekOf(inSeconds(-7 * DAY_SECONDS * n)));
  const [rows, tallies] = await Promise.all([
    table.rows(ruleWeeks).findMany(weeks.map((week) => ({ ruleId, week }))),
    table.tallies(alerts, 'ruleWeek', {
      from: ruleWeek(ruleId, weeks.at(-1) ?? ''),
      to: ruleWeek(ruleId, weeks[0] ?? ''),
    }),
  ]);
  return weeks.map((week) => ({
    week,
    matches: rows.find((row) => row.week === week)?.matches ?? 0,
    alerts: tallies.find(({ value }) => value === ruleWeek(ruleId, week))?.counts.n ?? 0,
  }));
}
