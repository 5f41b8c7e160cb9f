import { readFacts, readFeeds } from '#shared/advisories/facts.ts';
import { FEED_NAMES, feeds } from '#shared/advisories/feeds.ts';
import { readAdvisories } from '#shared/advisories/records.ts';
import type { Handlers } from '#shared/http/route.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { notFound } from '#shared/runtime/errors.ts';
import type { Advisory, AdvisoryFeed, advisoryRoutes } from './routes.ts';

export const advisoryHandlers: Handlers<typeof advisoryRoutes> = {
  listAdvisoryFeeds: ({ connections }) => listFeeds(connections),
  getAdvisory: ({ connections, params }) => advisoryOf(connections, params.advisoryId.toUpperCase()),
};

async function listFeeds(connections: Connections): Promise<AdvisoryFeed[]> {
  const states = await readFeeds(connections);
  return FEED_NAMES.map((name) => {
    const { entries = null, publishedAt = null, changedAt = null, failure = null, ...state } = states.get(name) ?? {};
    const checkedAt = 'checkedAt' in state ? state.checkedAt : null;
    return { name, source: feeds[name].source, entries, publishedAt, checkedAt, changedAt, failure };
  });
}

/** @throws not_found for an id of another kind */
async function advisoryOf(connections: Connections, id: string): Promise<Advisory> {
  if (!/^CVE-\d{4}-\d{4,8}$/.test(id)) throw notFound('advisory', id);
  const [{ epss, epssDate: date, kev }, records] = await Promise.all([
    readFacts(connections),
    readAdvisories(connections.dynamo, [id]),
  ]);
  const score = epss(id);
  const { cvss = {}, fixed = [], modifiedAt = null } = records.get(id) ?? {};
  return { id, epss: score && date ? { ...score, date } : null, kev: kev(id) ?? null, cvss, fixed, modifiedAt };
}
