import { readFeeds } from '#shared/advisories/facts.ts';
import { FEED_NAMES, type FeedName, type FeedState, feedRows, feeds, isSample } from '#shared/advisories/feeds.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import { type Connections, openConnections } from '#shared/platform/runtime/connections.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { FeedError } from './feed-error.ts';
import { notifyOfFeed } from './notify.ts';
import { nvd } from './nvd/feed.ts';
import { osv } from './osv/feed.ts';
import { rateOverdue } from './overdue.ts';
import { refreshFiles } from './record-files.ts';
import { refresh } from './refresh.ts';
import { reportStale } from './stale.ts';

/** Every quarter of an hour: rates what became overdue, reads the feeds that are due or failed before, and reports those that fail for long. */
export async function handler(): Promise<void> {
  const connections = openConnections();
  await rateOverdue(connections);
  try {
    await refreshFeeds(connections);
  } finally {
    await reportStale(connections);
  }
}

/** Callers see no text of an exception; the log has it. */
const OWN_FAILURE = 'The service could not keep what it read.';

/** @throws Error after all feeds were tried, when one failed: the function's alarm then goes off */
export async function refreshFeeds(connections: Connections): Promise<void> {
  const states = await readFeeds(connections);
  const failed: string[] = [];
  for (const feed of FEED_NAMES) {
    const state = states.get(feed);
    try {
      await work(connections, feed, state);
    } catch (error) {
      const { message } = error as Error;
      log.error('feed not read', { feed, error: error as Error });
      const isOfFeed = error instanceof FeedError;
      await keepFailure(connections, { feed, state, message: isOfFeed ? message : OWN_FAILURE });
      failed.push(`${feed}: ${message}`);
    }
  }
  if (failed.length > 0) throw new Error(`feeds that were not read: ${failed.join('; ')}`);
}

async function work(connections: Connections, feed: FeedName, state: FeedState | undefined): Promise<void> {
  if (state) await notifyOfFeed(connections, state);
  const address = connections.settings[feeds[feed].setting];
  if (!address || !isDue(feed, address, state)) return;
  if (feed === 'nvd') return refreshFiles(connections, nvd, { state, address });
  if (feed === 'osv') return refreshFiles(connections, osv, { state, address });
  const current = state && { ...state, telling: undefined };
  await notifyOfFeed(connections, await refresh(connections, { feed, state: current, address }));
}

function isDue(feed: FeedName, address: string, state: FeedState | undefined): boolean {
  if (!state) return true;
  const hasWholeList = state.publishedAt !== undefined && !isSample(state.address);
  if (isSample(address) && hasWholeList) return false;
  return (
    state.failure !== undefined || state.address !== address || state.checkedAt <= inSeconds(-feeds[feed].everySeconds)
  );
}

type Failed = { feed: FeedName; state: FeedState | undefined; message: string };

/** A feed that never was read has a state from its first failure on. */
async function keepFailure({ dynamo }: Connections, { feed, state, message }: Failed): Promise<void> {
  const at = now();
  const rows = openTable(dynamo, GLOBAL_SCOPE).rows(feedRows);
  const failure = { at, message };
  if (state) await rows.set({ feed }, { failure });
  else await rows.put({ feed, checkedAt: at, failure }, 'absent');
}
