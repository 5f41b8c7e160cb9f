import * as z from 'zod';
import { presentOnly } from '#shared/findings/view/present-only.ts';
import { reads } from '#shared/platform/auth/access.ts';
import { Id } from '#shared/platform/http/records.ts';
import { defineRoutes, get } from '#shared/platform/http/route.ts';
import { MeanTimeMetrics, MeanTimeOverview } from '#shared/reporting/figures/mean-time-records.ts';

/** The records whose durations are added up; all without these. */
const Group = z.object({
  zone: z.string().min(1).max(120).optional().meta({ description: 'only assets of this zone' }),
  applicationId: Id.optional().meta({ description: 'only assets of this application' }),
  ownerId: z.string().min(1).max(120).optional().meta({
    description: 'only assets of this owner, a team or a person, not those of its members',
  }),
});

const GROUPS =
  '\n\n`zone`, `applicationId` or `ownerId` asks for one zone, application or owner, as exactly. A record that moves takes its past ' +
  'along. With a role for a part of the organization send one of the part, unless the part has zones only, teams only or one ' +
  'application: any other part may have a record twice.';

const GROUPS_OF_ALL =
  `${GROUPS} An alert counts there if all of its assets are there, and an incident if all of its alerts are. Lists do not find these, so ` +
  'that a group which is named has no links of alerts and incidents.';

export const meanTimeRoutes = defineRoutes({
  getFindingsMeanTimes: get('/api/v1/dashboards/meantime/findings', {
    operation: 'HandleMeanTimeFindings',
    summary: 'Measure how long findings take to be acknowledged and fixed, with the trend',
    description:
      'The period is this calendar month and the previous two (`period`, UTC). A measure without data is null, never 0.\n' +
      '\n' +
      '- `timeToAcknowledge`: from `firstSeenAt` until a person first changed the status or assignee of the finding.\n' +
      '- `timeToRemediate`: from `firstSeenAt` to `fixedAt`. A finding that returned counts again, from its return. False ' +
      'positives and accepted risks are not fixed and do not count.\n' +
      '- `timeToDetect`, `timeToContain`: null, because a report does not say when a weakness began, and findings have no ' +
      'containment.\n' +
      '- `openAge`: the age of the currently open findings.\n' +
      '\n' +
      'Means and counts are exact. Medians and 90th percentiles come from buckets: their error is at most 9.1 %, or half a minute ' +
      'below one minute. For `openAge` the error is half a day (on the first day a day, and never too long); findings that are ' +
      'open for more than a year count with their average. `change` compares the mean time to remediate of the last 7, 30 and 90 ' +
      'days with the mean of the same number of days before: -0.25 means a quarter faster; null unless both have repairs.\n' +
      '\n' +
      '`links.list` has the list of the open findings (`openAge.count`). The other numbers have no list: durations are means and ' +
      'estimates, `timeToRemediate.count` and `trend` count each repair of a finding, and lists do not find findings by the day on ' +
      'which they were acknowledged.' +
      GROUPS,
    access: reads('findings:read'),
    inPart: 'seen',
    query: Group,
    instead: presentOnly,
    response: MeanTimeMetrics,
  }),
  getVulnerabilitiesMeanTimes: get('/api/v1/dashboards/meantime/vulnerabilities', {
    operation: 'HandleMeanTimeVulnerabilities',
    summary: 'Measure how long vulnerabilities take to be acknowledged and fixed, with the trend',
    description:
      'The measures have the same meaning as for findings. A vulnerability counts from its first finding until its last finding is ' +
      'fixed. A vulnerability that returned counts again from its return, and its earlier repair no longer counts. A vulnerability ' +
      'is acknowledged when one of its findings is acknowledged, or with the first decision on it. A vulnerability counts one repair, ' +
      'so `timeToRemediate.count` has a list too, in all and by severity, and each day of `trend` has links of its own.' +
      GROUPS,
    access: reads('vulnerabilities:read'),
    inPart: 'seen',
    query: Group,
    instead: presentOnly,
    response: MeanTimeMetrics,
  }),
  getAlertsMeanTimes: get('/api/v1/dashboards/meantime/soc/alerts', {
    operation: 'HandleMeanTimeSOCAlerts',
    summary: 'Measure how long alerts take to be detected, acknowledged and resolved, with the trend',
    description:
      'The measures have the same meaning as for findings. `timeToDetect`: from `firstEventAt` to `createdAt`. ' +
      '`timeToAcknowledge`: from `createdAt` to `acknowledgedAt`. `timeToRemediate`: from `createdAt` to `resolvedAt`; a reopened ' +
      'alert counts again from its reopening. False positives are not resolved. `timeToContain` is null, because only incidents ' +
      'are contained. `timeToDetect.count` has a list too, in all and by severity: the alerts that were created in the period.' +
      GROUPS_OF_ALL,
    access: reads('soc:read'),
    inPart: 'seen',
    query: Group,
    instead: presentOnly,
    response: MeanTimeMetrics,
  }),
  getIncidentsMeanTimes: get('/api/v1/dashboards/meantime/soc/incidents', {
    operation: 'HandleMeanTimeSOCIncidents',
    summary: 'Measure how long incidents take to be acknowledged, contained and closed, with the trend',
    description:
      'The measures have the same meaning as for findings. `timeToAcknowledge`, `timeToContain` and `timeToRemediate`: from ' +
      '`detectedAt` to `acknowledgedAt`, `containedAt` and `closedAt`; a reopened incident counts again from its reopening. ' +
      '`timeToDetect` is null: read it for alerts. Lists do not find incidents by the day of their containment: ' +
      '`timeToContain.count` has no list.' +
      GROUPS_OF_ALL,
    access: reads('soc:read'),
    inPart: 'seen',
    query: Group,
    instead: presentOnly,
    response: MeanTimeMetrics,
  }),
  getMeanTimeOverview: get('/api/v1/dashboards/meantime', {
    operation: 'HandleMeanTimeOverview',
    summary: 'Show the mean times of findings, vulnerabilities, alerts and incidents',
    description:
      'Each part is the answer of an operation below this path. An API key needs `reports:read`, because each part has its own API ' +
      'scope.' +
      GROUPS_OF_ALL,
    access: reads('reports:read'),
    inPart: 'seen',
    query: Group,
    instead: presentOnly,
    response: MeanTimeOverview,
  }),
});
