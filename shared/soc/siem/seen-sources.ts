import { currentDay, DAY_MS, inSeconds } from '#shared/platform/runtime/clock.ts';
import { keptByOrganization } from '#shared/platform/runtime/kept-by-organization.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { SiemEvent } from './event.ts';

type LogSource = Pick<SiemEvent, 'category' | 'product' | 'service'>;
type SeenSource = LogSource & { all: typeof ALL; source: string; expiresAt: string };

const ALL = 'all';

export const seenSources = defineRow<SeenSource, Pick<SeenSource, 'all' | 'source'>>({
  name: 'siem-seen-source',
  about: 'a log source of which an event came in the last seven days',
  key: ({ all, source }) => [all, source],
  expiresAt: ({ expiresAt }) => expiresAt,
});

const SEEN_DAYS = 7;
const SEEN_SECONDS = (SEEN_DAYS * DAY_MS) / 1000;
/** An event may name any source: so many of a batch are noted, and so many of an organization are read. */
const [MAX_OF_BATCH, MAX_SOURCES] = [100, 1_000];

/** The sources that a process has noted on a day: it writes the row of each once. */
const noted = keptByOrganization<{ day: string; sources: Set<string> }>(100_000, ({ sources }) => 1 + sources.size);

/** Notes the log sources of events. Repeated work on a batch notes the same. */
export async function noteSources(table: Table, events: readonly SiemEvent[]): Promise<void> {
  const day = currentDay();
  const before = noted.get(table);
  const known = before?.day === day ? before.sources : new Set<string>();
  const found = new Map(events.map((event) => [keyOf(event), event]));
  const fresh = [...found].filter(([source]) => !known.has(source)).slice(0, MAX_OF_BATCH);
  if (fresh.length === 0) return;
  const expiresAt = inSeconds(SEEN_SECONDS);
  await Promise.all(
    fresh.map(([source, { category, product, service }]) =>
      table.rows(seenSources).put({ all: ALL, source, category, product, service, expiresAt }),
    ),
  );
  noted.put(table, { day, sources: new Set([...known, ...fresh.map(([source]) => source)].slice(-MAX_SOURCES)) });
}

const keyOf = ({ category, product, service }: LogSource): string => JSON.stringify([category, product, service]);

/** The log sources of which an event came in the last seven days. */
export const sourcesSeen = (table: Table): Promise<LogSource[]> =>
  table.rows(seenSources).query(ALL, { limit: MAX_SOURCES });
