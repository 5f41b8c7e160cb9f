import { answerOf, asTyped, client } from '../../api/client.ts';
import type { Asset } from '../../api/types.ts';
import { agoOf } from '../../parts/format.ts';
import { Score } from '../../parts/marks.tsx';
import { drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { FROM_REPORTS } from '../../records/starts.ts';
import { nameOf } from '../../texts/names.ts';
import { texts } from '../../texts.ts';
import { assetDetail } from './asset-detail.tsx';
import { OpenCounts } from './open-counts.tsx';
import { Views } from './views.tsx';

const { columns, ...words } = texts.asset;
const { newest, seen, risk } = texts.list.orders;

const kind: RecordKind<Asset> = {
  name: 'asset',
  entity: 'asset',
  feed: 'asset',
  path: '/api/v1/assets',
  icon: 'assets',
  title: texts.screens.assets,
  words,
  start: FROM_REPORTS,
  orders: [
    { value: 'newest', label: newest },
    { value: 'riskScore', label: risk },
    { value: 'lastSeenAt', label: seen },
  ],
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET('/api/v1/assets', asTyped(search))),
  file: {
    start: (filter, waitSeconds) =>
      client.POST('/api/v1/assets/export', { params: { query: { waitSeconds } }, body: { format: 'csv', filter } }),
    read: (taskId, waitSeconds) =>
      client.GET('/api/v1/assets/export/{taskId}', { params: { path: { taskId }, query: { waitSeconds } } }),
  },
  Drawer: drawerOf(assetDetail),
  Lead: Views,
  columns: [
    {
      name: 'risk',
      width: '92px',
      shown: 'phone',
      label: columns.risk,
      cell: ({ riskScore }) => <Score value={riskScore} />,
    },
    {
      name: 'title',
      label: columns.name,
      cell: ({ name, value, internetExposed, zone }) => (
        <>
          <span class="cut strong">
            {internetExposed && <span class="tag">{words.exposed}</span>}
            {name}
          </span>
          <span class="cut soft small">{[zone, value === name ? undefined : value].filter(Boolean).join(' · ')}</span>
        </>
      ),
    },
    { name: 'type', width: '120px', label: columns.type, cell: ({ type }) => nameOf(type) },
    {
      name: 'open',
      width: 'minmax(140px, 1.2fr)',
      shown: 'phone',
      label: columns.open,
      cell: ({ openFindings }) => <OpenCounts counts={openFindings} />,
    },
    {
      name: 'criticality',
      width: '92px',
      shown: 'wide',
      label: columns.criticality,
      cell: ({ criticality }) => nameOf(criticality),
    },
    { name: 'seen', width: '116px', shown: 'phone', label: columns.seen, cell: ({ lastSeenAt }) => agoOf(lastSeenAt) },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(assetDetail), ahead: aheadOf(kind) };
