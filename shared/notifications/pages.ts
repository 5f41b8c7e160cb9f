/** The screens of the console that show one record, by the entity. */
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

/** The page of a record in the console; undefined: it has none. */
export function pageOf(subject: string): string | undefined {
  const [entity = '', id = ''] = subject.split('/');
  const screen = SCREENS[entity];
  return screen && `${screen}/${id}`;
}

/** Where people change what notifies them. */
export const SUBSCRIPTIONS_PAGE = '/administration/notifications';
