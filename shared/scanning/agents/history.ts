import { shortId } from '#shared/platform/runtime/ids.ts';
import { orOvertaken, retry } from '#shared/platform/runtime/retry.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Fold, foldAll, fuller, mergeAll } from './fold.ts';
import { DAY, expiry, HOUR, type Resolution } from './retention.ts';
import { readSamples, type Span } from './samples.ts';

/** The fold of an hour or a day of an agent. `start` is in seconds since the epoch. */
type FoldRow = Fold & { agentId: string; start: number };
type FoldKey = Pick<FoldRow, 'agentId' | 'start'>;

const startText = (start: number): string => String(start).padStart(11, '0');
const foldRows = (name: string, seconds: number, resolution: Resolution) =>
  defineRow<FoldRow, FoldKey>({
    name,
    about: `the folded samples of one ${resolution} of an agent: counts, sums, maxima`,
    key: ({ agentId, start }) => [shortId(agentId), startText(start)],
    expiresAt: ({ start }) => expiry(start + seconds, resolution),
  });

export const hourRows = foldRows('agent-hour', HOUR, 'hour');
export const dayRows = foldRows('agent-day', DAY, 'day');

export const readFolds = (
  table: Table,
  kind: typeof hourRows,
  { agentId, from, to, consistent }: Span & { agentId: string; consistent?: boolean },
): Promise<FoldRow[]> =>
  table.rows(kind).query(shortId(agentId), { between: { from: startText(from), to: startText(to - 1) }, consistent });

/**
 * Folds hours from their samples, then days from their hours. Folding may be repeated at any time and run several times
 * at once: samples are only added, and only a fold of more samples replaces another.
 * @param hours since the epoch; their samples are already written
 */
export async function foldHours(table: Table, agentId: string, hours: readonly number[]): Promise<void> {
  await Promise.all(hours.map((hour) => foldHour(table, agentId, hour * HOUR)));
  for (const day of new Set(hours.map((hour) => Math.floor((hour * HOUR) / DAY)))) {
    const from = day * DAY;
    const within = await readFolds(table, hourRows, { agentId, from, to: from + DAY, consistent: true });
    await store(table, dayRows, { agentId, start: from, fold: mergeAll(within) });
  }
}

async function foldHour(table: Table, agentId: string, from: number): Promise<void> {
  const samples = await readSamples(table, agentId, { from, to: from + HOUR, consistent: true });
  await store(table, hourRows, { agentId, start: from, fold: foldAll(samples) });
}

const store = (
  table: Table,
  kind: typeof hourRows,
  { agentId, start, fold }: FoldKey & { fold: Fold },
): Promise<void> =>
  retry(async () => {
    const current = await table.rows(kind).find({ agentId, start }, true);
    if (fuller(current, fold) === current) return;
    await orOvertaken(table.rows(kind).put({ ...fold, agentId, start }, current ? { n: current.n } : 'absent'));
  });
