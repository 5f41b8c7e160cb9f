import type { Connections } from '#shared/platform/runtime/connections.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { type EpssScore, epssIn } from './epss.ts';
import { FEED_NAMES, type FeedName, type FeedState, feedRows } from './feeds.ts';
import { type Kev, type KevEntry, kevIn } from './kev.ts';

/** The published facts about vulnerabilities, as the feeds have them now. */
export type Facts = {
  epss: (cve: string) => EpssScore | undefined;
  /** The day of the scores. */
  epssDate: string | undefined;
  kev: (cve: string) => KevEntry | undefined;
};

/**
 * For a finding: the highest chance of exploitation of its vulnerabilities, and whether one of them is known to be
 * exploited.
 */
export type Exploitation = { epss?: number; kev?: true };

export function exploitationOf({ epss, kev }: Facts, cves: readonly string[]): Exploitation {
  const chances = cves.flatMap((cve) => epss(cve)?.probability ?? []);
  return {
    ...(chances.length > 0 && { epss: Math.max(...chances) }),
    ...(cves.some((cve) => kev(cve) !== undefined) && { kev: true as const }),
  };
}

/** The contents that this process has read, by their objects. */
const kept = new Map<FeedName, { file: string; content: Buffer }>();
const catalogs = new WeakMap<Buffer, Kev>();

export async function readFacts(
  connections: Pick<Connections, 'dynamo' | 'bucket'>,
  feeds = readFeeds(connections),
): Promise<Facts> {
  const states = await feeds;
  const [epss, catalog] = await Promise.all([
    contentOf(connections, states.get('epss')),
    contentOf(connections, states.get('kev')),
  ]);
  const kev = catalogs.get(catalog) ?? kevIn(catalog);
  catalogs.set(catalog, kev);
  return { epss: (cve) => epssIn(epss, cve), epssDate: states.get('epss')?.publishedAt, kev: (cve) => kev[cve] };
}

/** The states of the feeds that were read at least once. */
export async function readFeeds({ dynamo }: Pick<Connections, 'dynamo'>): Promise<Map<FeedName, FeedState>> {
  const rows = openTable(dynamo, GLOBAL_SCOPE).rows(feedRows);
  const states = await rows.findMany(FEED_NAMES.map((feed) => ({ feed })));
  return new Map(states.map((state) => [state.feed, state]));
}

export async function contentOf({ bucket }: Pick<Connections, 'bucket'>, state?: FeedState): Promise<Buffer> {
  if (!state?.file) return Buffer.alloc(0);
  const { feed, file } = state;
  const known = kept.get(feed);
  if (known?.file === file) return known.content;
  const bytes = await bucket.get(file);
  if (!bytes) throw new Error(`the object ${file} of the feed ${feed} is gone`);
  const content = Buffer.from(bytes);
  kept.set(feed, { file, content });
  return content;
}
