import { answerOf, asTyped, client } from '../../api/client.ts';
import type { FindingItem, FindingStatus } from '../../api/types.ts';
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
import { PlanRemediation } from '../remediations/plan.tsx';
import { OpenTickets } from '../tickets/open-tickets.tsx';
import { findingDetail } from './finding-detail.tsx';

const { columns, ...words } = texts.finding;
const { newest, priority, due, epss } = texts.list.orders;

const ACTIONS = ['in_progress', 'fixed', 'false_positive', 'risk_accepted', 'out_of_scope', 'open'] as const;

const bulk: BulkKind<FindingStatus> = {
  Other: (props) => (
    <>
      <PlanRemediation {...props} />
      <OpenTickets type="finding" {...props} />
    </>
  ),
  words,
  actions: ACTIONS.map((status) => ({ status, label: texts.finding.actions[status] })),
  statuses: ACTIONS,
  sorted: ['open', 'in_progress'],
  accepted: 'risk_accepted',
  send: (selection, { reason, ...changes }, { dryRun, waitSeconds }) =>
    client.PATCH('/api/v1/findings', {
      params: { query: { waitSeconds } },
      body: { ...selection, changes, ...(reason && { reason }), ...(dryRun && { dryRun }) },
    }),
  undo: (params) => client.POST('/api/v1/findings/bulk/{taskId}/undo', { params }),
};

const kind: RecordKind<FindingItem> = {
  name: 'finding',
  entity: 'finding',
  feed: 'finding',
  path: '/api/v1/findings',
  icon: 'findings',
  title: texts.screens.findings,
  words,
  start: FROM_REPORTS,
  orders: [
    { value: 'newest', label: newest },
    { value: 'priority', label: priority },
    { value: 'dueAt', label: due },
    { value: 'epss', label: epss },
  ],
  titleOf: ({ title }) => title,
  load: (search) => answerOf(client.GET('/api/v1/findings', asTyped(search))),
  file: {
    start: (filter, waitSeconds) =>
      client.POST('/api/v1/findings/export', { params: { query: { waitSeconds } }, body: { format: 'csv', filter } }),
    read: (taskId, waitSeconds) =>
      client.GET('/api/v1/findings/export/{taskId}', { params: { path: { taskId }, query: { waitSeconds } } }),
  },
  Drawer: drawerOf(findingDetail),
  Bulk: bulkOf(bulk),
  columns: [
    severityColumn(columns.severity),
    {
      name: 'title',
      label: columns.title,
      cell: ({ title, location, kev }) => (
        <>
          <span class="cut strong">
            {kev && <span class="tag tag-kev">KEV</span>}
            {title}
          </span>
          <span class="cut soft small">{location}</span>
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

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(findingDetail), ahead: aheadOf(kind) };
