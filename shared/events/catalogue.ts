import * as z from 'zod';
import { FEED_ENTITIES } from '#shared/platform/feed/visible.ts';
import type { RecordChange } from '#shared/platform/table/changes.ts';

/** A kind of event: what happened to a record of an entity. */
type EventType = { type: string; entity: string; about: string; fits: (change: RecordChange) => boolean };

/** Changes of these fields are events of their own, of each entity that reports the field. */
const ASPECTS = {
  status: { verb: 'status_changed', about: 'has another status' },
  severity: { verb: 'severity_changed', about: 'has another severity' },
  assignee: { verb: 'assigned', about: 'has another assignee, or none' },
  dueAt: { verb: 'due_changed', about: 'is due at another time' },
} as const;
type Aspect = keyof typeof ASPECTS;

/** Entities whose records have these fields in the change feed. */
const ASPECTS_OF: Readonly<Record<string, readonly Aspect[]>> = {
  alert: ['status', 'severity', 'assignee'],
  'apex-task': ['status'],
  engagement: ['status'],
  'exposed-credential': ['status'],
  finding: ['status', 'severity', 'assignee', 'dueAt'],
  incident: ['status', 'severity', 'assignee'],
  integration: ['status'],
  'merge-suggestion': ['status'],
  remediation: ['status', 'assignee', 'dueAt'],
  'response-action': ['status'],
  'siem-source': ['status'],
  ticket: ['status'],
  'ticketing-connection': ['status'],
  user: ['status'],
  vulnerability: ['status', 'severity', 'assignee', 'dueAt'],
};

/** The name of an entity in types of events: `exposed_credential.created`. */
const inTypes = (entity: string): string => entity.replaceAll('-', '_');

const changed =
  (field: string) =>
  ({ kind, fields }: RecordChange) =>
    kind === 'updated' && field in fields;

function typesOf(entity: string): EventType[] {
  const of = inTypes(entity);
  const named = of.replaceAll('_', ' ');
  const aspects = ASPECTS_OF[entity] ?? [];
  const isOther = ({ kind, fields }: RecordChange) => kind === 'updated' && !aspects.some((field) => field in fields);
  const { type, about } = {
    type: (verb: string) => `${of}.${verb}`,
    about: (text: string) => `a record (${named}) ${text}`,
  };
  return [
    { type: type('created'), entity, about: about('was made'), fits: ({ kind }) => kind === 'created' },
    ...aspects.map((field) => ({
      type: type(ASPECTS[field].verb),
      entity,
      about: about(ASPECTS[field].about),
      fits: changed(field),
    })),
    { type: type('updated'), entity, about: about('changed in another way'), fits: isOther },
    { type: type('deleted'), entity, about: about('was removed'), fits: ({ kind }) => kind === 'deleted' },
  ];
}

/** Every type of event, by the entity of its record. */
const CATALOGUE: ReadonlyMap<string, readonly EventType[]> = new Map(
  FEED_ENTITIES.map((entity) => [entity, typesOf(entity)]),
);

export const EVENT_TYPES: readonly EventType[] = [...CATALOGUE.values()].flat();

/** The types of the events that a change is: one for each aspect that changed. */
export const typesOfChange = (change: RecordChange): string[] =>
  (CATALOGUE.get(change.entity) ?? []).filter(({ fits }) => fits(change)).map(({ type }) => type);

const WANTED: ReadonlySet<string> = new Set([
  ...EVENT_TYPES.map(({ type }) => type),
  ...FEED_ENTITIES.map((entity) => `${inTypes(entity)}.*`),
]);

/** A type, or all types of an entity. */
export const WantedType = z
  .string()
  .refine((type) => WANTED.has(type), {
    error: 'must be a type of GET /api/v1/events/types, or all types of an entity such as finding.*',
  })
  .meta({ example: 'finding.*' });

/** Whether a type is among the wanted; none wanted: all are. */
export const isWanted = (wanted: readonly string[], type: string): boolean =>
  wanted.length === 0 || wanted.includes(type) || wanted.includes(`${type.split('.', 1)[0]}.*`);
