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

/** The fields by which comments name their record. */
const RECORD_OF = { findingId: 'finding', alertId: 'alert' } as const;

/** The page of the record of an event in the console, of a comment that of its record; null: there is none. */
export function pageOf({ subject, data }: Pick<Event, 'subject' | 'data'>): string | null {
  const [entity = '', id = ''] = subject.split('/');
  if (SCREENS[entity]) return `${SCREENS[entity]}/${id}`;
  for (const [field, record] of Object.entries(RECORD_OF)) {
    const of = data.fields[field]?.to;
    if (typeof of === 'string') return `${SCREENS[record]}/${of}`;
  }
  return null;
}

/** Where people change what notifies them. */
export const SUBSCRIPTIONS_PAGE = '/administration/notifications';
