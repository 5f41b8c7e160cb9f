import { answerOf, asTyped, client } from '../../api/client.ts';
import type { VulnerabilityItem } from '../../api/types.ts';
import { DueMark, Score, SeverityMark, StatusMark } from '../../parts/marks.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { RecordList } from '../../records/record-list.tsx';
import { texts } from '../../texts.ts';
import { VulnerabilityDrawer } from './vulnerability-drawer.tsx';

const { columns, ...words } = texts.vulnerability;
const { newest, priority, due, epss } = texts.list.orders;

const kind: RecordKind<VulnerabilityItem> = {
  entity: 'vulnerability',
  icon: 'vulnerabilities',
  title: texts.screens.vulnerabilities,
  words,
  orders: [
    { value: 'newest', label: newest },
    { value: 'priority', label: priority },
    { value: 'due', label: due },
    { value: 'epss', label: epss },
  ],
  titleOf: ({ advisoryId }) => advisoryId,
  load: (search) => answerOf(client.GET('/api/v1/vulnerabilities', asTyped(search))),
  Drawer: VulnerabilityDrawer,
  columns: [
    { name: 'severity', label: columns.severity, cell: ({ severity }) => <SeverityMark severity={severity} /> },
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
    { name: 'asset', label: columns.asset, cell: ({ asset }) => <span class="cut">{asset.name}</span> },
    { name: 'status', label: columns.status, cell: ({ status }) => <StatusMark status={status} /> },
    { name: 'priority', label: columns.priority, cell: (row) => <Score value={row.priority} /> },
    { name: 'due', label: columns.due, cell: ({ dueAt }) => <DueMark dueAt={dueAt} /> },
  ],
};

export const Vulnerabilities = () => <RecordList kind={kind} />;
