import { answerOf, asTyped, client } from '../../api/client.ts';
import type { Vulnerability, VulnerabilityItem } from '../../api/types.ts';
import { DueMark, Score, StatusMark } from '../../parts/marks.tsx';
import type { BulkKind } from '../../records/bulk.ts';
import { bulkOf } from '../../records/bulk-bar.tsx';
import { drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { FROM_REPORTS } from '../../records/starts.ts';
import { severityColumn } from '../../records/usual-columns.tsx';
import { texts } from '../../texts.ts';
import { OpenTickets } from '../tickets/open-tickets.tsx';
import { VulnerabilityViews } from './views.tsx';
import { vulnerabilityDetail } from './vulnerability-detail.tsx';

const { columns, ...words } = texts.vulnerability;
const { newest, priority, due, epss } = texts.list.orders;

const ACTIONS = ['in_progress', 'fixed', 'false_positive', 'risk_accepted', 'open'] as const;

const bulk: BulkKind<Vulnerability['status']> = {
  Other: (props) => <OpenTickets type="vulnerability" {...props} />,
  words,
  actions: ACTIONS.map((status) => ({ status, label: texts.finding.actions[status] })),
  statuses: ACTIONS,
  sorted: ['open', 'in_progress'],
  accepted: 'risk_accepted',
  send: (selection, changes, { dryRun, waitSeconds }) =>
    client.PATCH('/api/v1/vulnerabilities', {
      params: { query: { waitSeconds } },
      body: { ...selection, changes, ...(dryRun && { dryRun }) },
    }),
  undo: (params) => client.POST('/api/v1/vulnerabilities/bulk/{taskId}/undo', { params }),
};

const kind: RecordKind<VulnerabilityItem> = {
  name: 'vulnerability',
  entity: 'vulnerability',
  feed: 'vulnerability',
  path: '/api/v1/vulnerabilities',
  Lead: VulnerabilityViews,
  icon: 'vulnerabilities',
  title: texts.screens.vulnerabilities,
  words,
  start: FROM_REPORTS,
  orders: [
    { value: 'newest', label: newest },
    { value: 'priority', label: priority },
    { value: 'due', label: due },
    { value: 'epss', label: epss },
  ],
  titleOf: ({ advisoryId }) => advisoryId,
  load: (search) => answerOf(client.GET('/api/v1/vulnerabilities', asTyped(search))),
  file: {
    start: (filter, waitSeconds) =>
      client.POST('/api/v1/vulnerabilities/export', {
        params: { query: { waitSeconds } },
        body: { format: 'csv', filter },
      }),
    read: (taskId, waitSeconds) =>
      client.GET('/api/v1/vulnerabilities/export/{taskId}', { params: { path: { taskId }, query: { waitSeconds } } }),
  },
  Drawer: drawerOf(vulnerabilityDetail),
  Bulk: bulkOf(bulk),
  columns: [
    severityColumn(columns.severity),
    {
      name: 'title',
      label: columns.title,
      cell: ({ advisoryId, title, component, kev }) => (
        <>
          <span class="cut strong">
            {kev && <span class="tag tag-kev">KEV</span>}
            {advisoryId} <span class="plain">{[component?.name, component?.version].filter(Boolean).join(' ')}</span>
          </span>
          {!title.startsWith(advisoryId) && <span class="cut soft small">{title}</span>}
        </>
      ),
    },
    {
      name: 'asset',
      width: 'minmax(120px, 1.2fr)',
      shown: 'phone',
      label: columns.asset,
      cell: ({ asset }) => <span class="cut">{asset.name}</span>,
    },
    { name: 'status', label: columns.status, cell: ({ status }) => <StatusMark status={status} /> },
    { name: 'priority', width: '96px', label: columns.priority, cell: (row) => <Score value={row.priority} /> },
    { name: 'due', width: '104px', shown: 'wide', label: columns.due, cell: ({ dueAt }) => <DueMark dueAt={dueAt} /> },
  ],
};

export const parts = {
  List: () => <RecordList kind={kind} />,
  Page: pageOf(vulnerabilityDetail),
  ahead: aheadOf(kind),
};
