import { contentOf } from '#shared/advisories/facts.ts';
import {
  ADVISORIES_PREFIX,
  type FeedState,
  feedRows,
  MOVED_PREFIX,
  type PackedFeed,
} from '#shared/advisories/feeds.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { movedEpss, packEpss } from './epss.ts';
import { FeedError } from './feed-error.ts';
import { fetchFeed } from './fetch.ts';
import { movedKev, packKev } from './kev.ts';

type Reader = {
  /** @throws FeedError */
  pack: (text: string) => { content: Buffer; entries: number; publishedAt: string };
  /** The vulnerabilities that differ between the two. */
  moved: (before: Buffer, after: Buffer) => string[];
};

const readers: Record<PackedFeed, Reader> = {
  epss: { pack: packEpss, moved: movedEpss },
  kev: { pack: packKev, moved: movedKev },
};

/** A feed that lost more than a tenth of its entries was cut short: publishers take few from their lists. */
const LEAST_SHARE = 0.9;

type Current = { feed: PackedFeed; state: FeedState | undefined; address: string };

/**
 * Reads a feed, and replaces its content when it changed. The new content is complete before the state names it.
 * @returns the new state
 * @throws FeedError when the new content cannot be used: the former content stays
 */
export async function refresh(connections: Connections, { feed, state, address }: Current): Promise<FeedState> {
  const known = state?.address === address ? state : {};
  const fetched = await fetchFeed(address, known);
  const checked = { ...state, feed, address, checkedAt: now(), failure: undefined };
  const next = fetched ? { ...checked, ...(await exchange(connections, { feed, state, address }, fetched)) } : checked;
  const expect = state ? { checkedAt: state.checkedAt } : ('absent' as const);
  const isMine = await openTable(connections.dynamo, GLOBAL_SCOPE).rows(feedRows).put(next, expect);
  if (!isMine) throw new Error(`another run read the feed ${feed} at the same time`);
  return next;
}

async function exchange(
  connections: Connections,
  { feed, state }: Current,
  { text, etag, lastModified }: NonNullable<Awaited<ReturnType<typeof fetchFeed>>>,
) {
  const { content, entries, publishedAt } = readers[feed].pack(text);
  if (entries < (state?.entries ?? 0) * LEAST_SHARE)
    throw new FeedError(`it has ${entries} entries, and the one before had ${state?.entries}`);
  if (publishedAt < (state?.publishedAt ?? ''))
    throw new FeedError(`it is of ${publishedAt}, and the one before of ${state?.publishedAt}`);
  const moved = readers[feed].moved(await contentOf(connections, state), content);
  const read = { etag, lastModified, entries, publishedAt };
  if (moved.length === 0) return read;
  const [file, movedFile] = [`${ADVISORIES_PREFIX}${feed}/${newId()}`, `${MOVED_PREFIX}${newId()}`];
  await connections.bucket.put(file, content);
  await connections.bucket.put(movedFile, JSON.stringify(moved));
  if (state?.before) await connections.bucket.remove([state.before]);
  return { ...read, file, before: state?.file, changedAt: now(), telling: { file: movedFile, from: 0 } };
}
