import { readFeeds } from '#shared/advisories/facts.ts';
import { FEED_NAMES, type FeedName, feeds, isSample } from '#shared/advisories/feeds.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';

const FILES: Record<FeedName, string> = {
  epss: 'epss.sample.csv',
  kev: 'kev.sample.json',
  nvd: 'nvd.sample.json',
  osv: 'osv.sample.json',
};

/** A few published entries in place of each feed, so that a machine without the internet shows true scores: addresses by their setting. */
export const localFeeds = (): Record<string, string> =>
  Object.fromEntries(
    FEED_NAMES.map((feed) => [feeds[feed].setting, new URL(`advisories/${FILES[feed]}`, import.meta.url).href]),
  );

/** Says for each feed whether the service has a sample or the publisher's list, from which day, and how to get the list. */
export async function describeFeeds(connections: Pick<Connections, 'dynamo'>): Promise<string> {
  const states = await readFeeds(connections);
  const lines = FEED_NAMES.map((feed) => {
    const { address, entries = 0, publishedAt } = states.get(feed) ?? {};
    const kind = isSample(address) ? 'a sample, ' : '';
    const day = publishedAt ? ` of ${publishedAt.slice(0, 10)}` : '';
    return `  ${feed.toUpperCase()}  ${kind}${entries} ${entries === 1 ? 'entry' : 'entries'}${day}`;
  });
  const samples = FEED_NAMES.filter((feed) => isSample(states.get(feed)?.address));
  if (samples.length === 0) return lines.join('\n');
  const settings = samples
    .filter((feed) => feed === 'epss' || feed === 'kev')
    .map((feed) => `${feeds[feed].setting}=${feeds[feed].address} \\\n    `);
  return [
    ...lines,
    '  Vulnerabilities that are not in a sample have no data of that feed: their `kev` is false, and their priority is too low.',
    '  On a machine with internet access, this command reads the whole lists of EPSS and KEV:',
    `    ${settings.join('')}npm start`,
  ].join('\n');
}
