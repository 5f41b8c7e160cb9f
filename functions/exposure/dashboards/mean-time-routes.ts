import { reads } from '#shared/platform/auth/access.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { MeanTimeMetrics, MeanTimeOverview } from './mean-time-records.ts';

export const meanTimeRoutes = defineRoutes({
  getFindingsMeanTimes: {
    method: 'GET',
    path: '/api/v1/dashboards/meantime/findings',
    operation: 'HandleMeanTimeFindings',
    summary: 'Measure how long findings take to be acknowledged and fixed, with the trend',
    description:
      'Over this calendar month and the two before it (`period`, UTC). A measure is null where nothing was ' +
      'measured, never 0.\n\n' +
      '- `timeToAcknowledge`: from `firstSeenAt` until a person first moved or took the finding.\n' +
      '- `timeToRemediate`: from `firstSeenAt` to `fixedAt`. A finding that returned counts again, from its return. ' +
      'What was called false or accepted was not fixed and does not count.\n' +
      '- `timeToDetect`, `timeToContain`: null, because a report does not say since when a weakness was there, and a ' +
      'finding has no containment.\n' +
      '- `openAge`: how long the findings that are open now have been open.\n\n' +
      'Means and counts are exact. Medians and 90th percentiles come from buckets: they are off by 9.1 % at most, by ' +
      'half a minute below one minute; those of `openAge` by half a day (on the first day by a day, and never too long), and for findings that are open for more than ' +
      'a year their average stands for all of them. `change` compares the mean time to remediate of the last 7, 30 and ' +
      '90 days with that of as many days before them: -0.25 means a quarter faster; null without repairs in both.',
    access: reads('findings:read'),
    response: MeanTimeMetrics,
  },
  getVulnerabilitiesMeanTimes: {
    method: 'GET',
    path: '/api/v1/dashboards/meantime/vulnerabilities',
    operation: 'HandleMeanTimeVulnerabilities',
    summary: 'Measure how long vulnerabilities take to be acknowledged and fixed, with the trend',
    description:
      'As for findings. A vulnerability counts from its first finding until its last one is fixed; one that returned counts again, ' +
      'from its return, and its repair before is then not counted. It is acknowledged when one of its findings is, or with the ' +
      'first decision on it.',
    access: reads('vulnerabilities:read'),
    response: MeanTimeMetrics,
  },
  getAlertsMeanTimes: {
    method: 'GET',
    path: '/api/v1/dashboards/meantime/soc/alerts',
    operation: 'HandleMeanTimeSOCAlerts',
    summary: 'Measure how long alerts take to come, to be acknowledged and resolved, with the trend',
    description:
      'As for findings. `timeToDetect`: from `firstEventAt` to `createdAt`. `timeToAcknowledge`: from `createdAt` to `acknowledgedAt`. ' +
      '`timeToRemediate`: from `createdAt` to `resolvedAt`; an alert that was opened again counts again, from then. What was called ' +
      'false was not resolved. `timeToContain` is null: incidents are contained.',
    access: reads('soc:read'),
    response: MeanTimeMetrics,
  },
  getIncidentsMeanTimes: {
    method: 'GET',
    path: '/api/v1/dashboards/meantime/soc/incidents',
    operation: 'HandleMeanTimeSOCIncidents',
    summary: 'Measure how long incidents take to be acknowledged, contained and closed, with the trend',
    description:
      'As for findings. `timeToAcknowledge`, `timeToContain` and `timeToRemediate`: from `detectedAt` to `acknowledgedAt`, `containedAt` and ' +
      '`closedAt`; an incident that was opened again counts again, from then. `timeToDetect` is null: alerts tell it.',
    access: reads('soc:read'),
    response: MeanTimeMetrics,
  },
  getMeanTimeOverview: {
    method: 'GET',
    path: '/api/v1/dashboards/meantime',
    operation: 'HandleMeanTimeOverview',
    summary: 'Show the mean times of findings, vulnerabilities, alerts and incidents',
    description:
      'Each part is the answer of its own operation below this path. An API key needs `reports:read`, because the parts have scopes of ' +
      'their own.',
    access: reads('reports:read'),
    response: MeanTimeOverview,
  },
});
