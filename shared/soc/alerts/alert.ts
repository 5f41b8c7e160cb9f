import * as z from 'zod';
import { CommonPlace, commonMarks, IN_PART_OF_ALL } from '#shared/assets/asset/common-place.ts';
import { accountName } from '#shared/assets/identity/identity.ts';
import { Person } from '#shared/credentials/person.ts';
import {
  Id,
  objectNamed,
  readOnly,
  recordFields,
  Timestamp,
  text,
  trimmedText,
} from '#shared/platform/http/records.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';
import { grouped } from '#shared/reports/report/group-measures.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { dayOf, hourTally, lifeTallies, openFacets } from '#shared/reports/report/time-measures.ts';
import { AttackTechniques, techniqueMarks } from './attack-technique.ts';
import { incidentTally } from './incident-alerts.ts';
import { ALERT_STATUSES, alertLife, isOpenAlert } from './soc-status.ts';

export const ALERT_SOURCES = ['siem', 'edr', 'cloud', 'identity', 'finding', 'manual'] as const;

export const ENTITY_TYPES = ['host', 'user', 'ip', 'domain', 'hash', 'url', 'process', 'cloud_resource'] as const;

/** The most entities that an alert stores: its list row is read by the byte. */
export const MAX_ENTITIES = 20;

/** Something that an alert concerns. */
export const AlertEntity = z
  .object({
    type: z.enum(ENTITY_TYPES),
    value: trimmedText(1024),
    assetId: Id.nullable()
      .default(null)
      .meta({ description: 'the known asset with the name, address or id in `value`' }),
  })
  .meta({ id: 'AlertEntity', example: { type: 'host', value: 'web-01.example.com' } });
export type AlertEntity = z.infer<typeof AlertEntity>;

const AlertSource = objectNamed('AlertSource', {
  kind: z.enum(ALERT_SOURCES),
  ruleId: z.string().max(300).nullable(),
  ruleName: z.string().max(300).nullable(),
  collectorId: Id.nullable().meta({ description: 'the collector that sent the events' }),
});

/** Something that may be an attack, and that somebody must look at. */
export const Alert = objectNamed('Alert', {
  ...recordFields,
  title: trimmedText(300).meta({ example: 'Encoded PowerShell on a web server' }),
  description: z.string().trim().max(10_000).nullable().default(null),
  severity: Severity,
  source: readOnly(AlertSource),
  status: z.enum(ALERT_STATUSES).default('new'),
  attackTechniques: AttackTechniques.default([]),
  entities: z.array(AlertEntity).max(MAX_ENTITIES).default([]),
  dedupKey: readOnly(
    z.string().nullable().meta({ description: 'events with the same key within a window are one alert' }),
  ),
  eventCount: readOnly(z.int().positive()),
  firstEventAt: readOnly(Timestamp),
  lastEventAt: readOnly(Timestamp),
  assigneeId: text(120)
    .nullable()
    .default(null)
    .meta({ description: '`assignee` has the name; a new alert that gets an assignee is acknowledged' }),
  assignee: readOnly(Person.nullable()),
  incidentId: Id.nullable().default(null).meta({ description: 'the incident that the alert is part of' }),
  acknowledgedAt: readOnly(Timestamp.nullable()),
  resolvedAt: readOnly(
    Timestamp.nullable().meta({ description: 'when it was last resolved or set to false positive' }),
  ),
  resolution: z
    .string()
    .trim()
    .max(2000)
    .nullable()
    .default(null)
    .meta({ description: 'a description of the outcome' }),
  reopenedAt: readOnly(Timestamp.nullable()),
  reopenedCount: readOnly(z.int().nonnegative()),
});
export type Alert = z.infer<typeof Alert>;

/** An alert in lists. */
export const AlertListItem = Alert.omit({ description: true }).meta({ id: 'AlertListItem' });
export type AlertListItem = z.infer<typeof AlertListItem>;

/** `common`: what its assets have in common. `repairs`: how long it took before it was opened again. */
export const StoredAlert = Alert.extend({
  common: CommonPlace.optional(),
  repairs: z.array(z.object({ at: Timestamp, seconds: z.int() })).optional(),
});
export type StoredAlert = z.infer<typeof StoredAlert>;

/** Entities whose values are words of the alert. */
const FOUND_BY = 6;

export const assetsOf = (entities: readonly AlertEntity[]): string[] => [
  ...new Set(entities.flatMap(({ assetId }) => assetId ?? [])),
];

const usersOf = (entities: readonly AlertEntity[]): string[] => [
  ...new Set(entities.flatMap(({ type, value }) => (type === 'user' ? accountName(value).slice(0, 300) : []))),
];

/** The Monday of a time's week. */
export function weekOf(time: string): string {
  const at = new Date(time);
  at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  return dayOf(at.toISOString());
}

export const ruleWeek = (ruleId: string, week: string): string => `${ruleId} ${week}`;

/** The alerts of a rule by week: its noise. */
const weekTally = ({ source, createdAt }: Pick<Alert, 'source' | 'createdAt'>) =>
  source.kind === 'siem' && source.ruleId
    ? [{ facet: 'ruleWeek', value: ruleWeek(source.ruleId, weekOf(createdAt)) }]
    : [];

const detectedTally = ({ createdAt, severity }: Pick<Alert, 'createdAt' | 'severity'>) => ({
  facet: 'detected',
  value: dayOf(createdAt),
  add: { [`${createdAt.slice(11, 13)}${severity.slice(0, 1)}`]: 1 },
});

export const alerts = defineEntity(StoredAlert, {
  name: 'alert',
  together: true,
  dimensions: { status: ALERT_STATUSES, severity: Severity.options },
  facets: (alert) => ({
    ...count({ status: alert.status, severity: alert.severity }),
    ...openFacets(alertLife(alert)),
    ...(isOpenAlert(alert.status) && alert.assigneeId === null && { unassigned: 1 }),
  }),
  /** `opened`: alerts by the hour in which they came; `detected`: those that rules made of events, by hour and severity. */
  tallies: (alert) => [
    ...lifeTallies(alertLife(alert)),
    hourTally('opened', alert.createdAt),
    ...(alert.source.kind === 'siem' ? [detectedTally(alert)] : []),
    ...weekTally(alert),
    ...(alert.incidentId ? [incidentTally(alert.incidentId, isOpenAlert(alert.status))] : []),
  ],
  search: ({ title, source, entities }) => [
    ...entities.slice(0, FOUND_BY).map(({ value }) => value),
    title,
    source.ruleName,
  ],
  words: 14,
  inPart: IN_PART_OF_ALL,
  indexed: ({ assigneeId, incidentId, source, attackTechniques, entities, dedupKey, common }) => ({
    ...commonMarks(common),
    user: usersOf(entities),
    assigneeId,
    incident: incidentId,
    source: source.kind,
    rule: source.ruleId ?? undefined,
    technique: techniqueMarks(attackTechniques),
    asset: assetsOf(entities),
    dedupKey: dedupKey ?? undefined,
  }),
  /** `hour`: only parts count by it. */
  ordered: ({ createdAt, common }) => ({ created: dayOf(createdAt), hour: common && createdAt.slice(0, 13) }),
  grouped,
  journal: true,
  feedFields: ['title', 'severity', 'status', 'assignee', 'incidentId', 'eventCount', 'resolution'],
  detail: ['description'],
});
