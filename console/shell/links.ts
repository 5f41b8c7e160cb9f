const LISTS: Readonly<Record<string, string>> = {
  '/api/v1/findings': '/findings',
  '/api/v1/vulnerabilities': '/vulnerabilities',
  '/api/v1/assets': '/assets',
  '/api/v1/soc/alerts': '/alerts',
  '/api/v1/soc/incidents': '/incidents',
  '/api/v1/exposed-credentials': '/exposed-credentials',
  '/api/v1/remediations': '/remediations',
  '/api/v1/detection/rules': '/detections',
  '/api/v1/findings/imports': '/imports',
  '/api/v1/software/applications': '/applications',
  '/api/v1/validation-operations/engagements': '/engagements',
  '/api/v1/validation-operations/scanners': '/scanners',
  '/api/v1/validation-operations/scanner-tasks': '/scanner-tasks',
  '/api/v1/scanned-branches': '/branches',
  '/api/v1/compliance/controls': '/controls',
  '/api/v1/siem/sources': '/log-sources',
  '/api/v1/ticketing/tickets': '/tickets',
  '/api/v1/validation-operations/apex': '/appliances',
  '/api/v1/validation-operations/apex/campaigns': '/campaigns',
  '/api/v1/validation-operations/apex/tasks': '/apex-tasks',
  '/api/v1/validation-operations/scanner-groups': '/scanner-groups',
  '/api/v1/security-operations/telemetry/agents': '/agents',
  '/api/v1/zones': '/zones',
  '/api/v1/application-exposure/repositories': '/repositories',
  '/api/v1/identities': '/identities',
  '/api/v1/assets/merge-suggestions': '/merges',
};

/**
 * The page that shows the list of a figure, or a record: `links.list` names the path of the API, and a page takes the same parameters.
 * @returns undefined for a list that no page shows
 */
export function pageOf(list: string | undefined): string | undefined {
  if (list === undefined) return undefined;
  const { pathname, search } = new URL(list, location.origin);
  const page = LISTS[pathname];
  if (page) return page + search;
  const [, records = '', id] = /^(.+)\/([0-9a-f-]{36})$/.exec(pathname) ?? [];
  return LISTS[records] && `${LISTS[records]}/${id}`;
}

/** A page with a filter. */
export const filtered = (page: string, filter: string): string => `${page}?${new URLSearchParams({ filter })}`;

/** The kinds of connections in the address of their pages, by the kinds of the API. */
const CONNECTIONS: Readonly<Record<string, string>> = {
  codehost_a: 'host',
  codehost_b: 'host',
  ticketing: 'ticketing',
  collector: 'collector',
  integrator: 'integrator',
};

/** The page of a connection, or of all where the kind has no page of its own. */
export const connectionPage = ({ kind, id }: { kind: string; id: string }): string =>
  CONNECTIONS[kind] ? `/integrations/${CONNECTIONS[kind]}:${id}` : '/integrations';

/** Other addresses than those of the web, such as scripts, are no links. */
export const isOfWeb = (address: string): boolean => /^https?:\/\//i.test(address);
