import { answerOf, asTyped, client } from '../../api/client.ts';
import type { FindingItem } from '../../api/types.ts';
import { DueMark, Score, SeverityMark, StatusMark } from '../../parts/marks.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { RecordList } from '../../records/record-list.tsx';
import { texts } from '../../texts.ts';
import { BulkBar } from './bulk-bar.tsx';
import { FindingDrawer } from './finding-drawer.tsx';

const { columns, ...words } = texts.finding;
const { newest, priority, due, epss } = texts.list.orders;

const kind: RecordKind<FindingItem> = {
  entity: 'finding',
  icon: 'findings',
  title: texts.screens.findings,
  words,
  orders: [
    { value: 'newest', label: newest },
    { value: 'priority', label: priority },
    { value: 'dueAt', label: due },
    { value: 'epss', label: epss },
  ],
  titleOf: ({ title }) => title,
  load: (search) => answerOf(client.GET('/api/v1/findings', asTyped(search))),
  Drawer: FindingDrawer,
  Bulk: BulkBar,
  columns: [
    { name: 'severity', label: columns.severity, cell: ({ severity }) => <SeverityMark severity={severity} /> },
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
    { name: 'asset', label: columns.asset, cell: ({ asset }) => <span class="cut">{asset.name}</span> },
    { name: 'status', label: columns.status, cell: ({ status }) => <StatusMark status={status} /> },
    { name: 'priority', label: columns.priority, cell: (row) => <Score value={row.priority} /> },
    { name: 'due', label: columns.due, cell: ({ dueAt }) => <DueMark dueAt={dueAt} /> },
  ],
};

export const Findings = () => <RecordList kind={kind} />;
