import { answerOf, asTyped, client } from '../../api/client.ts';
import type { Alert, AlertItem } from '../../api/types.ts';
import { agoOf } from '../../parts/format.ts';
import type { BulkKind } from '../../records/bulk.ts';
import { bulkOf } from '../../records/bulk-bar.tsx';
import { drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { SEVERITY_FACET, statusFacet } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { assigneeColumn, severityColumn, statusColumn } from '../../records/usual-columns.tsx';
import { texts } from '../../texts.ts';
import { ALERT_STATUSES, alertDetail } from './alert-detail.tsx';

const { columns, ...words } = texts.alert;

const bulk: BulkKind<Alert['status']> = {
  words,
  actions: ALERT_STATUSES.map((status) => ({ status, label: texts.moves[status] })),
  statuses: ALERT_STATUSES,
  send: (selection, { status, reason }, { dryRun, waitSeconds }) =>
    client.PATCH('/api/v1/soc/alerts', {
      params: { query: { waitSeconds } },
      body: { ...selection, changes: { status }, ...(reason && { reason }), ...(dryRun && { dryRun }) },
    }),
  undo: (params) => client.POST('/api/v1/soc/alerts/bulk/{taskId}/undo', { params }),
};

const kind: RecordKind<AlertItem> = {
  name: 'alert',
  entity: 'alert',
  feed: 'alert',
  path: '/api/v1/soc/alerts',
  icon: 'bell',
  title: texts.screens.alerts,
  words,
  facets: [statusFacet(ALERT_STATUSES), SEVERITY_FACET],
  titleOf: ({ title }) => title,
  load: (search) => answerOf(client.GET('/api/v1/soc/alerts', asTyped(search))),
  Drawer: drawerOf(alertDetail),
  Bulk: bulkOf(bulk),
  columns: [
    severityColumn(columns.severity),
    {
      name: 'title',
      label: columns.title,
      cell: ({ title, entities }) => (
        <>
          <span class="cut strong">{title}</span>
          <span class="cut soft small">{entities.map(({ value }) => value).join(', ')}</span>
        </>
      ),
    },
    {
      name: 'source',
      label: columns.source,
      width: '104px',
      shown: 'wide',
      cell: ({ source }) => texts.alert.sources[source.kind],
    },
    statusColumn(columns.status),
    assigneeColumn(columns.assignee),
    { name: 'last', label: columns.last, width: '124px', cell: ({ lastEventAt }) => agoOf(lastEventAt) },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(alertDetail), ahead: aheadOf(kind) };
