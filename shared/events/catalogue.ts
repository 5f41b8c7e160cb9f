import * as z from 'zod';
import { FEED_ENTITIES } from '#shared/platform/feed/visible.ts';
import type { Cause } from '#shared/platform/table/actor.ts';
import type { RecordChange } from '#shared/platform/table/changes.ts';
import { inTypes, NAMED } from './named.ts';

type Fits = (change: RecordChange, by: Pick<Cause, 'operation'>) => boolean;
/** A kind of event: what happened to a record of an entity. */
type EventType = { type: string; entity: string; about: string; fits: Fits };

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

const changed =
  (field: string) =>
  ({ kind, fields }: RecordChange) =>
    kind === 'updated' && field in fields;

/** Events of the feeds are only noted: the feeds are no records of an organization. */
const WITHOUT_RECORDS = 'feed';

function typesOf(entity: string): EventType[] {
  const of = inTypes(entity);
  const named = of.replaceAll('_', ' ');
  const aspects = ASPECTS_OF[entity] ?? [];
  const ofEntity = NAMED.filter(({ entities }) => entities.includes(entity));
  const isOther: Fits = (change, by) =>
    change.kind === 'updated' &&
    !aspects.some((field) => field in change.fields) &&
    !ofEntity.some(({ fits }) => fits(change, by));
  const { type, about } = {
    type: (verb: string) => `${of}.${verb}`,
    about: (text: string) => `a record (${named}) ${text}`,
  };
  const others = ofEntity.map(({ type, about: text, fits }) => ({ type, entity, about: about(text), fits }));
  if (entity === WITHOUT_RECORDS) return others;
  return [
    { type: type('created'), entity, about: about('was made'), fits: ({ kind }) => kind === 'created' },
    ...aspects.map((field) => ({
      type: type(ASPECTS[field].verb),
      entity,
      about: about(ASPECTS[field].about),
      fits: changed(field),
    })),
    ...others,
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
export const typesOfChange = (change: RecordChange, by: Pick<Cause, 'operation'>): string[] =>
  (CATALOGUE.get(change.entity) ?? []).filter(({ fits }) => fits(change, by)).map(({ type }) => type);

const subjectOf = (type: string): string => type.slice(0, type.indexOf('.'));

const WANTED: ReadonlySet<string> = new Set(EVENT_TYPES.flatMap(({ type }) => [type, `${subjectOf(type)}.*`]));

/** A type, or all types of an entity. */
export const WantedType = z
  .string()
  .refine((type) => WANTED.has(type), {
    error: 'must be a type of GET /api/v1/events/types, or all types of an entity such as finding.*',
  })
  .meta({ example: 'finding.*' });

/** Whether a type is among the wanted; none wanted: all are. */
export const isWanted = (wanted: readonly string[], type: string): boolean =>
  wanted.length === 0 || wanted.includes(type) || wanted.includes(`${subjectOf(type)}.*`);
