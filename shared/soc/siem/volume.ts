import { now, secondsAfter } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, rowKey, ttlOf } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Segment } from './segments.ts';

/**
 * For each hour of a day its events (`e07`), their bytes (`b07`) and segments (`s07`). `last`: the time of the day's
 * newest event. `sourceId` is `ALL` in the rows of the organization.
 */
type VolumeRow = { sourceId: string; day: string; last?: string } & Record<string, number | string | undefined>;
type VolumeKey = { sourceId: string; day: string };

const ALL = 'all';

/** Longer than any events are kept. */
const KEPT_SECONDS = 500 * 86_400;

export const volumes = defineRow<VolumeRow, VolumeKey>({
  name: 'siem-volume',
  about: 'how many events, bytes and segments of each hour of a day there are, of all sources or of one',
  key: ({ sourceId, day }) => [sourceId, day],
});

/** `until`: the end of the hour, or the time of its newest event where the hour may still get events. */
export type Hour = { hour: string; until: string; events: number; bytes: number; segments: number };

/** The hours of a row that have events, the newest first. */
export function hoursOf(row: VolumeRow): Hour[] {
  const hours = Array.from({ length: 24 }, (_, i) => String(23 - i).padStart(2, '0'));
  const at = (name: string) => Number(row[name] ?? 0);
  const { last = now() } = row;
  const untilOf = (hour: string) => (last.startsWith(hour) ? last : `${hour}:59:59.999Z`);
  return hours
    .map((hour) => ({
      hour: `${row.day}T${hour}`,
      until: untilOf(`${row.day}T${hour}`),
      events: at(`e${hour}`),
      bytes: at(`b${hour}`),
      segments: at(`s${hour}`),
    }))
    .filter(({ events, segments }) => events > 0 || segments > 0);
}

/** The writes that count segments, for the organization and for their source. */
export function volumeWrites({ tenant }: Table, stored: readonly Segment[], sign: 1 | -1 = 1): Write[] {
  return stored.flatMap(({ hour, sourceId, events, bytes }) => {
    const [day, h] = [hour.slice(0, 10), hour.slice(11)];
    const ttl = ttlOf(secondsAfter(`${day}T00:00:00.000Z`, KEPT_SECONDS));
    const add = { [`e${h}`]: sign * events, [`b${h}`]: sign * bytes, [`s${h}`]: sign };
    return [ALL, sourceId].map((one) => ({
      change: rowKey(tenant, volumes, { sourceId: one, day }),
      set: { sourceId: one, day, ttl },
      add,
    }));
  });
}

/** The rows of all sources of some days, or of one source, the newest first. */
export const readVolumes = (
  table: Table,
  { from, to, sourceId = ALL }: { from: string; to: string; sourceId?: string | undefined },
): Promise<VolumeRow[]> => table.rows(volumes).query(sourceId, { between: { from, to }, backward: true });

/** The newest three days that have events: one may have begun by clocks that are ahead. */
export const newestVolumes = (table: Table): Promise<VolumeRow[]> =>
  table.rows(volumes).query(ALL, { backward: true, limit: 3 });

/**
 * The writes that record the time of a day's newest event, where no newer one is known; they must precede the writes
 * that count.
 */
export async function lastWrites(table: Table, stored: readonly Segment[]): Promise<Write[]> {
  const newest = stored.map(({ to }) => to).reduce((one, other) => (one > other ? one : other), '');
  const key = { sourceId: ALL, day: newest.slice(0, 10) };
  const current = newest === '' ? undefined : await table.rows(volumes).find(key, true);
  if (newest === '' || (current?.last ?? '') >= newest) return [];
  const condition = {
    ConditionExpression: 'attribute_not_exists(#last) OR #last < :last',
    ExpressionAttributeNames: { '#last': 'last' },
    ExpressionAttributeValues: { ':last': newest },
  };
  const change = rowKey(table.tenant, volumes, key);
  return [{ change, set: { last: newest }, condition, fail: () => new Overtaken() }];
}

const HOUR_MS = 3_600_000;

/** The sums of the hour of `at` and of the 23 before. */
export function lastDay(rows: readonly VolumeRow[], at: number): { events: number; bytes: number } {
  const since = new Date(at - 23 * HOUR_MS).toISOString().slice(0, 13);
  const hours = rows.flatMap(hoursOf).filter(({ hour }) => hour >= since);
  const sum = (of: 'events' | 'bytes') => hours.reduce((total, one) => total + one[of], 0);
  return { events: sum('events'), bytes: sum('bytes') };
}
