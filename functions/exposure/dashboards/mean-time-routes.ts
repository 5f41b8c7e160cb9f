import { presentOnly } from '#shared/findings/view/present-only.ts';
import { reads } from '#shared/platform/auth/access.ts';
import { defineRoutes, get } from '#shared/platform/http/route.ts';
import { MeanTimeMetrics, MeanTimeOverview } from '#shared/reporting/figures/mean-time-records.ts';

/** Why a role for a part of the organization does not open these operations. */
const closedToPart = 'a sum of durations is a counter of all records, which the index of a part cannot add up';

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
      'which they were acknowledged.',
    access: reads('findings:read'),
    closedToPart,
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
      'so `timeToRemediate.count` has a list too, in all and by severity, and each day of `trend` has links of its own.',
    access: reads('vulnerabilities:read'),
    closedToPart,
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
      'are contained. `timeToDetect.count` has a list too, in all and by severity: the alerts that were created in the period.',
    access: reads('soc:read'),
    closedToPart,
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
      '`timeToContain.count` has no list.',
    access: reads('soc:read'),
    closedToPart,
    instead: presentOnly,
    response: MeanTimeMetrics,
  }),
  getMeanTimeOverview: get('/api/v1/dashboards/meantime', {
    operation: 'HandleMeanTimeOverview',
    summary: 'Show the mean times of findings, vulnerabilities, alerts and incidents',
    description:
      'Each part is the answer of an operation below this path. An API key needs `reports:read`, because each part has its own API ' +
      'scope.',
    access: reads('reports:read'),
    closedToPart,
    instead: presentOnly,
    response: MeanTimeOverview,
  }),
});
