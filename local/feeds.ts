import { FEED_NAMES, type FeedName, feeds } from '#shared/advisories/feeds.ts';

const FILES: Record<FeedName, string> = { epss: 'epss.csv', kev: 'kev.json', nvd: 'nvd.json', osv: 'osv.json' };

/** A few published entries in place of each feed, so that a machine without the internet shows true scores: addresses by their setting. */
export const localFeeds = (): Record<string, string> =>
  Object.fromEntries(
    FEED_NAMES.map((feed) => [feeds[feed].setting, new URL(`advisories/${FILES[feed]}`, import.meta.url).href]),
  );
