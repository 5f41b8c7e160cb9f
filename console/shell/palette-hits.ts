import { answerOf, client } from '../api/client.ts';
import { question } from '../api/question.ts';
import type { IconName } from '../parts/icon.tsx';
import { controlName, nameOf } from '../texts/names.ts';
import { texts } from '../texts.ts';
import { SCREENS } from './screens.ts';

/** A screen or a record that the words find. */
export type Hit = { href: string; icon: IconName; title: string; hint: string };

const PER_KIND = 4;

type Asked<T> = Parameters<typeof answerOf<{ data: readonly T[] }>>[0];
type Shown = { title: string; hint?: string | undefined };

async function hitsOf<T extends { id: string }>(
  page: string,
  asked: Asked<T>,
  show: (row: T) => Shown,
): Promise<Hit[]> {
  const screen = SCREENS.find(({ path }) => path === page);
  const { data } = await answerOf(asked);
  return data.map((row) => {
    const { title, hint = screen?.title ?? '' } = show(row);
    return { href: `${page}?open=${row.id}`, icon: screen?.icon ?? 'search', title, hint };
  });
}

/** A person who may not read these records finds none of them, and still finds the others. */
const someOf: typeof hitsOf = (...asked) => hitsOf(...asked).catch(() => []);

type Kinds = (search: string) => Promise<Hit[]>[];
const hitsIn = (kinds: Kinds) =>
  question(async (search): Promise<Hit[]> => (search === '' ? [] : (await Promise.all(kinds(search))).flat()));

const named = ({ name }: { name: string }) => ({ title: name });
const titled = ({ title }: { title: string }) => ({ title });

const exposure: Kinds = (search) => {
  const params = { params: { query: { search, paginateSize: PER_KIND } } };
  return [
    advisoriesNamed(search),
    hitsOf('/findings', client.GET('/api/v1/findings/search', params), ({ title, asset }) => ({
      title,
      hint: asset.name,
    })),
    someOf('/vulnerabilities', client.GET('/api/v1/vulnerabilities/search', params), ({ advisoryId, asset }) => ({
      title: advisoryId,
      hint: asset.name,
    })),
    someOf('/assets', client.GET('/api/v1/assets/search', params), ({ name, type }) => ({
      title: name,
      hint: nameOf(type),
    })),
  ];
};

const others: Kinds = (search) => {
  const params = { params: { query: { search, paginateSize: PER_KIND } } };
  return [
    someOf('/exposed-credentials', client.GET('/api/v1/exposed-credentials/search', params), (row) => ({
      title: row.account ?? row.masked ?? nameOf(row.kind),
    })),
    someOf('/identities', client.GET('/api/v1/identities/search', params), (row) => ({
      title: row.displayName ?? row.names[0] ?? row.externalId,
    })),
    someOf('/alerts', client.GET('/api/v1/soc/alerts/search', params), titled),
    someOf('/incidents', client.GET('/api/v1/soc/incidents/search', params), titled),
    someOf('/detections', client.GET('/api/v1/detection/rules/search', params), titled),
    someOf('/log-sources', client.GET('/api/v1/siem/sources/search', params), named),
  ];
};

const work: Kinds = (search) => {
  const params = { params: { query: { search, paginateSize: PER_KIND } } };
  const words = { params: { query: { filter: `"${search.replaceAll('"', ' ')}"`, paginateSize: PER_KIND } } };
  return [
    someOf('/applications', client.GET('/api/v1/software/applications', words), named),
    someOf('/remediations', client.GET('/api/v1/remediations', params), titled),
    someOf('/reports', client.GET('/api/v1/reports', params), ({ title, kind }) => ({ title: title ?? kind })),
    someOf('/engagements', client.GET('/api/v1/validation-operations/engagements', words), titled),
    someOf(
      '/scanner-tasks',
      client.GET('/api/v1/validation-operations/scanner-tasks/search', params),
      ({ target }) => ({ title: target.value }),
    ),
    someOf('/agents', client.GET('/api/v1/security-operations/telemetry/agents/search', params), named),
    someOf('/teams', client.GET('/api/v1/teams/search', params), named),
  ];
};

const seldom: Kinds = (search) => {
  const params = { params: { query: { search, paginateSize: PER_KIND } } };
  return [
    someOf('/tickets', client.GET('/api/v1/ticketing/tickets/search', params), ({ issueKey, title }) => ({
      title: issueKey ? `${issueKey} ${title}` : title,
    })),
    someOf('/repositories', client.GET('/api/v1/application-exposure/repositories', params), ({ fullName }) => ({
      title: fullName,
    })),
    someOf('/controls', client.GET('/api/v1/compliance/controls', params), (row) => ({
      title: controlName(row),
      hint: `${row.framework.name} ${row.framework.version}`,
    })),
    someOf('/campaigns', client.GET('/api/v1/validation-operations/apex/campaigns', params), named),
    someOf('/appliances', client.GET('/api/v1/validation-operations/apex/search', params), named),
    peopleNamed(search),
  ];
};

/** The first records that have the words, of the kinds that people seek most; then those of the other kinds, which are many requests. */
export const useHits = hitsIn(exposure);
export const useOtherHits = hitsIn((search) => [...others(search), ...work(search)]);
export const useSeldomHits = hitsIn(seldom);

/** Everything about the vulnerability that a person names, on all of its assets. A person with a part has no such list. */
function advisoriesNamed(search: string): Promise<Hit[]> {
  if (!search.includes('-')) return Promise.resolve([]);
  const advisoryId = isCve(search) ? search.toUpperCase() : search;
  return someOf(
    '/advisories',
    client.GET('/api/v1/vulnerabilities/by-advisory', { params: { query: { advisoryId } } }),
    (one) => ({ title: one.advisoryId, hint: texts.palette.on(one.open, one.assets) }),
  );
}

export const isCve = (search: string): boolean => /^cve-\d{4}-\d+$/i.test(search);

/** People are a part of the administration, which has no drawer: a hit shows those that the words find. */
async function peopleNamed(search: string): Promise<Hit[]> {
  const asked = client.GET('/api/v1/users/search', { params: { query: { search, paginateSize: PER_KIND } } });
  const hits = await someOf('/administration', asked, ({ name, email }) => ({ title: name, hint: email }));
  return hits.map((hit) => ({
    ...hit,
    icon: 'people',
    href: `/administration/people?search=${encodeURIComponent(hit.hint)}`,
  }));
}
