import { Refused } from '../api/client.ts';
import { SEVERITIES } from '../parts/marks.tsx';
import { texts } from '../texts.ts';

/** A record of a list that has no operation for one of them. @throws Refused when it is gone */
export function onlyOf<T>({ data: [record] }: { data: T[] }): T {
  if (record === undefined) throw new Refused({}, texts.errors.gone);
  return record;
}

export const SEVERITY_FACET = {
  name: 'severity',
  label: texts.finding.columns.severity,
  values: SEVERITIES.map((value) => ({ value, label: texts.severities[value] })),
};

/** A status of the list that a person chooses. */
export const statusFacet = (statuses: readonly (keyof typeof texts.statuses)[]) => ({
  name: 'status',
  label: texts.finding.columns.status,
  values: statuses.map((value) => ({ value, label: texts.statuses[value] })),
});

/** The states of a scanner, an agent or an appliance. */
export const machineFacet = statusFacet(['online', 'offline', 'never_connected', 'disabled']);
