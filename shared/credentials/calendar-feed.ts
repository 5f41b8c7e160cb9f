import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, rowKey } from '#shared/platform/table/io/row.ts';

type FeedToken = { personId: string; hash: string };

/**
 * One feed per account or API key; a new feed ends the one before. It opens nothing once their credential is revoked.
 */
export const feedTokens = defineRow<FeedToken, Pick<FeedToken, 'personId'>>({
  name: 'calendar-feed',
  about: 'the hashed token with which a calendar program reads the feed of a person',
  key: ({ personId }) => [personId],
});

/** The write for the transaction that revokes an account or API key. */
export const removeFeed = (scope: string, personId: string): Write => ({
  remove: rowKey(scope, feedTokens, { personId }),
});
