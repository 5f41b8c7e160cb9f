import * as z from 'zod';
import { CommonPlace, commonMarks, IN_PART_OF_ALL } from '#shared/assets/asset/common-place.ts';
import { Person } from '#shared/credentials/person.ts';
import { Id, live, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';
import { grouped } from '#shared/reports/report/group-measures.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { dayOf, lifeTallies, openFacets } from '#shared/reports/report/time-measures.ts';
import { INCIDENT_STATUSES, incidentLife } from '../alerts/soc-status.ts';

/** The most alerts that a request or an answer names. */
export const MAX_NAMED_ALERTS = 500;

const text = (most: number) => z.string().trim().max(most).nullable().default(null);

const stored = {
  ...recordFields,
  title: z.string().trim().min(1).max(300).meta({ example: 'Web shell on the shop' }),
  description: text(10_000),
  severity: Severity,
  status: z.enum(INCIDENT_STATUSES).default('open'),
  assigneeId: z.string().min(1).max(120).nullable().default(null).meta({ description: '`assignee` has the name' }),
  assignee: readOnly(Person.nullable()),
  memberIds: z
    .array(z.string().min(1).max(120))
    .max(50)
    .default([])
    .meta({ description: 'the other people who work on it: ids of service accounts, or your own', example: [] }),
  detectedAt: Timestamp,
  acknowledgedAt: readOnly(Timestamp.nullable()),
  containedAt: readOnly(Timestamp.nullable()),
  closedAt: readOnly(Timestamp.nullable()),
  reopenedAt: readOnly(Timestamp.nullable()),
  reopenedCount: readOnly(z.int().nonnegative()),
  summary: text(10_000).meta({ description: 'a summary for readers who were not involved' }),
  lessons: text(10_000).meta({ description: 'what to improve' }),
};

/** An attack, or another cause of several alerts, and the work on it. */
export const Incident = objectNamed('Incident', {
  ...stored,
  detectedAt: stored.detectedAt.optional().meta({ description: 'the moment of its creation if absent' }),
  alertIds: z.array(Id).max(MAX_NAMED_ALERTS).optional().meta({
    description: 'the newest 500 alerts; lists omit them: `GET /api/v1/soc/alerts?incidentId=<id>`',
    example: [],
  }),
  alerts: live(z.object({ total: z.int().nonnegative(), open: z.int().nonnegative() })),
});
export type Incident = z.infer<typeof Incident>;

/** `common`: what its alerts have in common. */
export const StoredIncident = z.object({
  ...stored,
  common: CommonPlace.optional(),
  repairs: z.array(z.object({ at: Timestamp, seconds: z.int() })).optional(),
});
export type StoredIncident = z.infer<typeof StoredIncident>;

export const incidents = defineEntity(StoredIncident, {
  name: 'incident',
  together: true,
  dimensions: { status: INCIDENT_STATUSES, severity: Severity.options },
  facets: (incident) => ({
    ...count({ status: incident.status, severity: incident.severity }),
    ...openFacets(incidentLife(incident)),
  }),
  tallies: (incident) => lifeTallies(incidentLife(incident)),
  grouped,
  search: ({ title }) => [title],
  inPart: IN_PART_OF_ALL,
  indexed: ({ assigneeId, memberIds, common }) => ({ ...commonMarks(common), assigneeId, member: memberIds }),
  ordered: ({ detectedAt }) => ({ detected: dayOf(detectedAt) }),
  feedFields: ['title', 'severity', 'status', 'assignee', 'memberIds', 'detectedAt', 'containedAt', 'closedAt'],
  detail: ['description', 'summary', 'lessons'],
});
