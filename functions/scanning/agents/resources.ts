import type { Table } from '#shared/platform/table/table.ts';
import { type Fold, foldAll, fuller, mergeAll, pointOf } from '#shared/scanning/agents/fold.ts';
import { dayRows, hourRows, readFolds } from '#shared/scanning/agents/history.ts';
import { agentMachines } from '#shared/scanning/agents/presence.ts';
import { DAY, HOUR } from '#shared/scanning/agents/retention.ts';
import { readSamples } from '#shared/scanning/agents/samples.ts';
import type { ResourceHistory } from './routes.ts';
import { type Window, windowOf } from './window.ts';

export type ResourceQuery = Parameters<typeof windowOf>[0];

/** Folds by the second of their start. */
type Folds = Map<number, Fold>;
type HistoryOwner = { table: Table; agentId: string };

const readers: Record<Window['resolution'], (at: HistoryOwner, window: Window) => Promise<Folds>> = {
  minute: readMinutes,
  hour: readHours,
  day: readDays,
};

/** The resource history of a host. A time without samples has no point. */
export async function readResources(table: Table, agentId: string, query: ResourceQuery): Promise<ResourceHistory> {
  const window = windowOf(query);
  const folds = window.from < window.to ? await readers[window.resolution]({ table, agentId }, window) : new Map();
  const points = [...folds]
    .filter(([start]) => start >= window.from && start < window.to)
    .sort(([a], [b]) => a - b)
    .map(([start, fold]) => pointOf(start, fold));
  return { agentId, resolution: window.resolution, points };
}

async function readMinutes({ table, agentId }: HistoryOwner, window: Window): Promise<Folds> {
  const samples = await readSamples(table, agentId, window);
  const minutes = Map.groupBy(samples, ({ at }) => at - (at % 60));
  return new Map([...minutes].map(([start, within]) => [start, foldAll(within)]));
}

async function readHours(at: HistoryOwner, { from, to }: Window): Promise<Folds> {
  const [stored, live] = await Promise.all([readFolds(at.table, hourRows, { ...at, from, to }), readLiveHours(at)]);
  return overlaid(stored, live);
}

/** The current day is computed from its hours: its row is written only when an hour ends. */
async function readDays(at: HistoryOwner, { from, to }: Window): Promise<Folds> {
  const [stored, live] = await Promise.all([readFolds(at.table, dayRows, { ...at, from, to }), readLiveHours(at)]);
  const days = new Set([...live.keys()].map((start) => start - (start % DAY)));
  const current = await Promise.all(
    [...days].map(async (start): Promise<[number, Fold]> => {
      const hours = await readFolds(at.table, hourRows, { ...at, from: start, to: start + DAY });
      const within = [...live].filter(([hour]) => hour - (hour % DAY) === start);
      return [start, mergeAll([...overlaid(hours, new Map(within)).values()])];
    }),
  );
  return overlaid(stored, new Map(current));
}

/** The hours that may not be folded yet, folded from their samples. */
async function readLiveHours({ table, agentId }: HistoryOwner): Promise<Folds> {
  const presence = await table.rows(agentMachines.rows).find({ machineId: agentId });
  if (!presence || presence.openHour === 0) return new Map();
  const hours = [...presence.closedHours, presence.openHour].map((hour) => hour * HOUR);
  const folds = hours.map(async (from): Promise<[number, Fold]> => {
    return [from, foldAll(await readSamples(table, agentId, { from, to: from + HOUR }))];
  });
  return new Map(await Promise.all(folds));
}

function overlaid(stored: readonly (Fold & { start: number })[], live: Folds): Folds {
  const folds: Folds = new Map(stored.map((row) => [row.start, row]));
  for (const [start, fold] of live) {
    const better = fuller(folds.get(start), fold);
    if (better) folds.set(start, better);
  }
  return folds;
}
