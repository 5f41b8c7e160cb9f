import { readFacts, readFeeds } from '#shared/advisories/facts.ts';
import { FEED_NAMES, type FeedState, feeds, isSample } from '#shared/advisories/feeds.ts';
import { cveOf, readOsv } from '#shared/advisories/osv.ts';
import { readAdvisories } from '#shared/advisories/records.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import { spelledAdvisory } from '#shared/vulnerabilities/vulnerability/contributions.ts';
import type { Advisory, AdvisoryFeed, advisoryRoutes } from './routes.ts';

export const advisoryHandlers: Handlers<typeof advisoryRoutes> = {
  listAdvisoryFeeds: ({ connections }) => listFeeds(connections),
  getAdvisory: ({ connections, params }) => advisoryOf(connections, spelledAdvisory(params.advisoryId)),
};

async function listFeeds(connections: Connections): Promise<AdvisoryFeed[]> {
  const states = await readFeeds(connections);
  return FEED_NAMES.map((name) => {
    const state: Partial<FeedState> = states.get(name) ?? {};
    return {
      name,
      source: feeds[name].source,
      sample: isSample(state.address),
      entries: state.entries ?? null,
      publishedAt: state.publishedAt ?? null,
      checkedAt: state.checkedAt ?? null,
      changedAt: state.changedAt ?? null,
      failure: state.failure ?? null,
    };
  });
}

/** @throws not_found for the id of another database that OSV does not have */
async function advisoryOf(connections: Connections, id: string): Promise<Advisory> {
  const { dynamo } = connections;
  const isCve = /^CVE-\d{4}-\d{4,8}$/.test(id);
  const named = (await readOsv(dynamo, [id])).get(id) ?? [];
  if (!isCve && named.length === 0) throw notFound('advisory', id);
  const cve = isCve ? id : (named.flatMap((record) => cveOf(record) ?? [])[0] ?? id);
  const [{ epss, epssDate: date, kev }, records] = await Promise.all([
    readFacts(connections),
    readAdvisories(dynamo, [cve]),
  ]);
  const score = epss(cve);
  const { cvss = {}, fixed = [], modifiedAt = null } = records.get(cve) ?? {};
  const names = new Set(named.flatMap((record) => [record.id, ...record.aliases]));
  names.delete(id);
  return {
    id,
    epss: score && date ? { ...score, date } : null,
    kev: kev(cve) ?? null,
    cvss: Object.assign({}, ...named.map((record) => record.cvss), cvss),
    fixed,
    modifiedAt,
    aliases: [...names].sort(),
    packages: named.flatMap((record) => record.fixed.map((one) => ({ ...one, source: record.id }))),
  };
}
