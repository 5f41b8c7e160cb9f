import type { Event } from '#shared/events/event.ts';

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
  report: '/reports',
  team: '/teams',
  'exposed-credential': '/exposed-credentials',
};

export const pageOfRecord = (entity: string, id: string): string | null =>
  SCREENS[entity] ? `${SCREENS[entity]}/${id}` : null;

/** The page of the record of an event in the console; null: there is none. That of a comment is among its facts. */
export function pageOf({ subject }: Pick<Event, 'subject'>): string | null {
  const [entity = '', id = ''] = subject.split('/');
  return entity === 'import' ? `/imports?open=${id}` : pageOfRecord(entity, id);
}

/** Where people change what notifies them. */
export const SUBSCRIPTIONS_PAGE = '/administration/notifications';
