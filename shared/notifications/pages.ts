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
const RECORD_OF = { findingId: 'finding', alertId: 'alert', engagementId: 'engagement' } as const;

/** The page of the record of an event in the console, of a comment that of its record; null: there is none. */
export function pageOf({ subject, data }: Pick<Event, 'subject' | 'data'>): string | null {
  const [entity = '', id = ''] = subject.split('/');
  if (SCREENS[entity]) return `${SCREENS[entity]}/${id}`;
  if (entity === 'import') return `/imports?open=${id}`;
  return pageBy((field) => data.fields[field]?.to);
}

/** The page of the record of a comment. An event about its text alone does not name the record. */
export const pageOfComment = (comment: object): string | null => pageBy((field) => Reflect.get(comment, field));

function pageBy(named: (field: string) => unknown): string | null {
  for (const [field, record] of Object.entries(RECORD_OF)) {
    const of = named(field);
    if (typeof of === 'string') return `${SCREENS[record]}/${of}`;
  }
  return null;
}

/** Where people change what notifies them. */
export const SUBSCRIPTIONS_PAGE = '/administration/notifications';
