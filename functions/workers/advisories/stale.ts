import { readFeeds } from '#shared/advisories/facts.ts';
import { type FeedName, type FeedState, feedRows, feeds } from '#shared/advisories/feeds.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { unlessOvertaken } from '#shared/platform/runtime/retry.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { notifyOrganizations } from './notify.ts';

/** A feed that was not read for so long is stale: each is asked for at least four times a day. */
const STALE_SECONDS = 86_400;

type Silence = { feed: FeedName; since: string };

export const silences = defineRow<Silence, Pick<Silence, 'feed'>>({
  name: 'feed-silence',
  about: 'the last silence of a feed about vulnerabilities that the organization heard of',
  key: ({ feed }) => [feed],
});

/** Reports to each organization, once for each silence, that a feed has not been read for a day. */
export async function reportStale(connections: Connections): Promise<void> {
  const rows = openTable(connections.dynamo, GLOBAL_SCOPE).rows(feedRows);
  for (const state of (await readFeeds(connections)).values()) {
    const { feed, checkedAt: since } = state;
    const isAsked = Boolean(connections.settings[feeds[feed].setting]);
    const reported = state.silence?.since === since ? state.silence : { since, from: 0 };
    if (!isAsked || since > inSeconds(-STALE_SECONDS) || reported.from === undefined) continue;
    await notifyOrganizations(connections, {
      from: reported.from,
      notify: (table) => noteStale(table, state),
      keep: (from) => rows.set({ feed }, { silence: { since, from } }),
    });
  }
}

/** A round that was stopped begins again with some of its organizations: the row knows those that heard of it. */
async function noteStale(table: Table, { feed, checkedAt: since, failure }: FeedState): Promise<void> {
  const known = await table.rows(silences).find({ feed }, true);
  if (known?.since === since) return;
  const expect = known ? { since: known.since } : ('absent' as const);
  const batch = table.batch();
  batch.write(putWrite(table.tenant, silences, { row: { feed, since }, expect, fail: () => new Overtaken() }));
  const fields = { readAt: { to: since }, ...(failure && { failure: { to: failure.message } }) };
  batch.announce({ kind: 'noted', note: 'feed.stale', entity: 'feed', id: feed, version: 1, fields, masked: [] });
  await unlessOvertaken(batch.commit());
}
