import { withPresentNames } from '#shared/people/present-names.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Incident, StoredIncident } from '#shared/soc/incidents/incident.ts';
import { alertCountsOf, alertIdsOf } from '#shared/soc/incidents/incident-alerts.ts';

/** A record from a list lacks its long texts. */
type Row = Omit<StoredIncident, 'description' | 'summary' | 'lessons'> & Partial<StoredIncident>;

/** Adds to incidents the fields that a list shows. */
export async function listItems(table: Table, rows: readonly Row[]): Promise<Incident[]> {
  const [countsOf, named] = await Promise.all([
    alertCountsOf(
      table,
      rows.map(({ id }) => id),
    ),
    withPresentNames(table, 'assignee', rows),
  ]);
  return named.map(
    ({ repairs: _repairs, common: _common, description = null, summary = null, lessons = null, ...incident }) => ({
      ...incident,
      description,
      summary,
      lessons,
      alerts: countsOf(incident.id),
    }),
  );
}

export async function view(table: Table, stored: StoredIncident): Promise<Incident & { detectedAt: string }> {
  const [[shown], alertIds] = await Promise.all([listItems(table, [stored]), alertIdsOf(table, stored.id)]);
  if (!shown) throw new Error('an incident that is not shown');
  return { ...shown, detectedAt: stored.detectedAt, alertIds };
}
