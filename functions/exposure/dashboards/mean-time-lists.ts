import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { filtered, type Place, withLists } from '#shared/platform/http/figures.ts';
import { perValue } from '#shared/platform/runtime/per-value.ts';
import type { MeanTimeMetrics, MeanTimes } from '#shared/reporting/figures/mean-time-records.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { dayOf } from '#shared/reports/report/time-measures.ts';
import { ALERT_STATUSES, INCIDENT_STATUSES, isOpenAlert, isOpenIncident } from '#shared/soc/alerts/soc-status.ts';
import { type AskedGroup, filterOf } from './mean-time-groups.ts';

/**
 * The lists of a kind of record. `detected` and `fixed` are fields of filters with the day of a measure that counts each
 * record once: other measures count a record each time, or by a day that lists do not find. `byAsset`: filters have the zone, the
 * application and the owner of its asset.
 */
type Listed = { path: string; open: readonly string[]; detected?: string; fixed?: string; byAsset?: true };

const LISTED = {
  findings: { path: '/api/v1/findings', open: OPEN_STATUSES, byAsset: true },
  vulnerabilities: { path: '/api/v1/vulnerabilities', open: OPEN_STATUSES, fixed: 'fixed', byAsset: true },
  alerts: { path: '/api/v1/soc/alerts', open: ALERT_STATUSES.filter(isOpenAlert), detected: 'created' },
  incidents: { path: '/api/v1/soc/incidents', open: INCIDENT_STATUSES.filter(isOpenIncident) },
} satisfies Record<string, Listed>;

/** Gives each count of records the list that shows exactly these records. */
export function listedMeanTimes(
  { period, trend, change, ...measures }: MeanTimes,
  kind: keyof typeof LISTED,
  asked: AskedGroup,
) {
  const { path, open, detected, fixed, byAsset }: Listed = LISTED[kind];
  const group = filterOf(asked);
  const of = (filter: string): Place => (group && !byAsset ? null : filtered(path)(filter + group));
  const days = `${dayOf(period.from)}..${dayOf(period.to)}`;
  const during = (field: string | undefined, where: string) => counted(field ? of(`${field}:${days}${where}`) : null);
  const fourOf = (where: string) => ({
    timeToDetect: during(detected, where),
    timeToAcknowledge: counted(null),
    timeToContain: counted(null),
    timeToRemediate: during(fixed, where),
  });
  const lists = {
    ...fourOf(''),
    bySeverity: perValue(Severity.options, (severity) => fourOf(` severity:${severity}`)),
    openAge: counted(of(`status:${open.join()}`)),
  };
  const onDays = fixed
    ? trend.map(({ date, meanSeconds, count }) =>
        withLists({ date, meanSeconds, count }, { meanSeconds: null, count: of(`${fixed}:${date}`) }),
      )
    : trend;
  return { period, ...withLists(measures, lists), trend: onDays, change } satisfies MeanTimeMetrics;
}

/** The list of the records of a measure. */
const counted =
  (list: Place) =>
  (name: string): Place =>
    name === 'count' ? list : null;
