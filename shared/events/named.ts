import type { Cause } from '#shared/platform/table/actor.ts';
import type { RecordChange } from '#shared/platform/table/changes.ts';

/** A kind of event that has a name of its own, because people wait for it. */
type NamedType = {
  type: string;
  entities: readonly string[];
  about: string;
  fits: (change: RecordChange, by: Pick<Cause, 'operation'>) => boolean;
};
type Fits = NamedType['fits'];

/** The name of an entity in types of events: `exposed_credential.created`. */
export const inTypes = (entity: string): string => entity.replaceAll('-', '_');

/** The field has this value now, and had another one before. */
const turned =
  (field: string, value: unknown): Fits =>
  ({ kind, fields }) =>
    kind === 'updated' && fields[field]?.to === value;

/** The field has this value now, also of a new record. */
const has =
  (field: string, value: unknown): Fits =>
  ({ kind, fields }) =>
    kind !== 'deleted' && fields[field]?.to === value;

const noted =
  (type: string): Fits =>
  ({ kind, note }) =>
    kind === 'noted' && note === type;

/** The timer of this name made the change. */
const byTimer =
  (operation: string): Fits =>
  ({ kind }, by) =>
    kind === 'updated' && by.operation === operation;

const isOnlineAgain: Fits = ({ kind, fields }) =>
  kind === 'updated' && fields.status?.from === 'offline' && fields.status.to === 'online';

/** Many names are too long for the log: they are in the comment. */
const namesPeople: Fits = ({ kind, fields, masked }) =>
  kind !== 'deleted' && (isNonEmpty(fields.mentions?.to) || masked.includes('mentions'));

const isNonEmpty = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

const isListed: Fits = ({ kind, fields }) => kind === 'updated' && fields.kev?.to != null && fields.kev.from == null;

/** Events of this type may name endpoints, which get them whatever their types are. */
export const REPORT_READY = 'report.ready';

const machineTypes = ['scanner', 'agent', 'collector', 'integrator', 'apex-appliance'].flatMap((entity) => [
  { type: `${inTypes(entity)}.offline`, entities: [entity], about: 'is silent', fits: turned('status', 'offline') },
  { type: `${inTypes(entity)}.online`, entities: [entity], about: 'reports again', fits: isOnlineAgain },
]);

const connectionTypes = ['integration', 'ticketing-connection'].map((entity) => ({
  type: `${inTypes(entity)}.failing`,
  entities: [entity],
  about: 'refuses the access or does not answer',
  fits: turned('status', 'failed'),
}));

/** Endpoints and subscriptions deliver events, and say when they do not. */
const readerTypes = ['webhook-endpoint', 'notification-subscription'].flatMap((entity) => [
  {
    type: `${inTypes(entity)}.failing`,
    entities: [entity],
    about: 'does not deliver: an event was not taken, or its filter cannot be evaluated',
    fits: turned('status', 'failing'),
  },
  {
    type: `${inTypes(entity)}.disabled`,
    entities: [entity],
    about: 'is turned off, by somebody or by the service',
    fits: turned('status', 'disabled'),
  },
]);

export const NAMED: readonly NamedType[] = [
  {
    type: 'finding.due_soon',
    entities: ['finding'],
    about: 'is due today or within three days (UTC)',
    fits: has('dueSoon', true),
  },
  {
    type: 'finding.overdue',
    entities: ['finding'],
    about: 'was due on a day that is over',
    fits: turned('late', true),
  },
  {
    type: 'acceptance.expiring',
    entities: ['finding', 'vulnerability'],
    about: 'has a risk whose acceptance ends in 30 or in 7 days',
    fits: noted('acceptance.expiring'),
  },
  {
    type: 'acceptance.expired',
    entities: ['finding'],
    about: 'has a risk that is accepted no longer',
    fits: byTimer('timer-acceptance'),
  },
  {
    type: 'acceptance.expired',
    entities: ['vulnerability'],
    about: 'has a risk that is accepted no longer',
    fits: byTimer('timer-vulnerability'),
  },
  {
    type: 'vulnerability.kev_added',
    entities: ['vulnerability'],
    about: 'is known to be exploited (CISA KEV)',
    fits: isListed,
  },
  { type: 'import.failed', entities: ['import'], about: 'failed for good', fits: has('status', 'failed') },
  {
    type: 'import.held',
    entities: ['import'],
    about: 'waits for a person who confirms how much it closes',
    fits: ({ kind, fields }) => kind !== 'deleted' && fields.held?.to != null,
  },
  ...machineTypes,
  ...connectionTypes,
  ...readerTypes,
  ...['finding-comment', 'alert-comment', 'engagement-note'].map((entity) => ({
    type: `${inTypes(entity)}.mentioned`,
    entities: [entity],
    about: 'names people of the organization',
    fits: namesPeople,
  })),
  { type: REPORT_READY, entities: ['report'], about: 'is made: its files are there', fits: turned('status', 'made') },
  { type: 'report.failed', entities: ['report'], about: 'could not be made', fits: turned('status', 'failed') },
  {
    type: 'siem_source.silent',
    entities: ['siem-source'],
    about: 'sends no events',
    fits: turned('status', 'silent'),
  },
  {
    type: 'feed.stale',
    entities: ['feed'],
    about: 'was not read for a day: facts about vulnerabilities may be old',
    fits: noted('feed.stale'),
  },
];
