import { answerOf, asTyped, client } from '../../api/client.ts';
import type { Incident } from '../../api/types.ts';
import { agoOf } from '../../parts/format.ts';
import type { BulkKind } from '../../records/bulk.ts';
import { bulkOf } from '../../records/bulk-bar.tsx';
import { drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { SEVERITY_FACET, statusFacet } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { severityColumn, statusColumn } from '../../records/usual-columns.tsx';
import { texts } from '../../texts.ts';
import { INCIDENT_STATUSES, incidentDetail } from './incident-detail.tsx';

const { columns, ...words } = texts.incident;

const bulk: BulkKind<Incident['status']> = {
  words,
  actions: INCIDENT_STATUSES.map((status) => ({ status, label: texts.moves[status] })),
  statuses: INCIDENT_STATUSES,
  send: (selection, { status, reason }, { dryRun, waitSeconds }) =>
    client.PATCH('/api/v1/soc/incidents', {
      params: { query: { waitSeconds } },
      body: { ...selection, changes: { status }, ...(reason && { reason }), ...(dryRun && { dryRun }) },
    }),
  undo: (params) => client.POST('/api/v1/soc/incidents/bulk/{taskId}/undo', { params }),
};

const kind: RecordKind<Incident> = {
  name: 'incident',
  entity: 'incident',
  feed: 'incident',
  path: '/api/v1/soc/incidents',
  icon: 'shield',
  title: texts.screens.incidents,
  words,
  facets: [statusFacet(INCIDENT_STATUSES), SEVERITY_FACET],
  titleOf: ({ title }) => title,
  load: (search) => answerOf(client.GET('/api/v1/soc/incidents', asTyped(search))),
  Drawer: drawerOf(incidentDetail),
  Bulk: bulkOf(bulk),
  columns: [
    severityColumn(columns.severity),
    { name: 'title', label: columns.title, cell: ({ title }) => <span class="cut strong">{title}</span> },
    statusColumn(columns.status),
    {
      name: 'alerts',
      label: columns.alerts,
      width: '112px',
      cell: ({ alerts }) => texts.incident.openOf(alerts.open, alerts.total),
    },
    {
      name: 'assignee',
      label: columns.assignee,
      width: '124px',
      shown: 'wide',
      cell: ({ assignee }) => <span class="cut">{assignee?.name ?? '–'}</span>,
    },
    {
      name: 'detected',
      label: columns.detected,
      width: '124px',
      cell: ({ detectedAt, createdAt }) => agoOf(detectedAt ?? createdAt),
    },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(incidentDetail), ahead: aheadOf(kind) };
