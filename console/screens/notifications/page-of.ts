/** The screens that show one record, by the entity. */
const SCREENS: Readonly<Record<string, string>> = {
  finding: '/findings',
  vulnerability: '/vulnerabilities',
  asset: '/assets',
  alert: '/alerts',
  incident: '/incidents',
  remediation: '/remediations',
  application: '/applications',
  engagement: '/engagements',
  ticket: '/tickets',
  team: '/teams',
  'exposed-credential': '/exposed-credentials',
};

/** The page of the record of an event; undefined: it has none. */
export function pageOf(subject: string): string | undefined {
  const [entity = '', id = ''] = subject.split('/');
  const screen = SCREENS[entity];
  return screen && `${screen}/${id}`;
}
