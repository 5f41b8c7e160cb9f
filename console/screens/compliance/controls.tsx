import { useMemo } from 'preact/hooks';
import '../../style/administration.css';
import '../../style/compliance.css';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Control } from '../../api/types.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf, memoryOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { count } from '../../texts/amounts.ts';
import { compliance, control } from '../../texts/compliance.ts';
import { controlName } from '../../texts/names.ts';
import { texts } from '../../texts.ts';
import { ControlStatus, controlDetail } from './control-detail.tsx';
import { GroupChoice, VIEWS } from './group.tsx';

const { columns, ...words } = control;
const STATUSES = ['failed', 'passed', 'notAssessed'] as const;

const useFrameworks = question(() => answerOf(client.GET('/api/v1/compliance/frameworks')));

const sum = ({ criteria }: Control, of: 'openFindings' | 'acceptedFindings'): number =>
  criteria.reduce((all, criterion) => all + criterion[of], 0);

const Lead = () => (
  <>
    <Tabs label={compliance.views} tabs={VIEWS} />
    <GroupChoice />
  </>
);

const kind: RecordKind<Control> = {
  name: 'control',
  path: '/api/v1/compliance/controls',
  icon: 'check',
  title: texts.screens.controls,
  words,
  titleOf: controlName,
  load: (search) => answerOf(client.GET('/api/v1/compliance/controls', asTyped(search))),
  Drawer: drawerOf(controlDetail),
  Lead,
  shownBy: ['zone', 'applicationId', 'assetType'],
  columns: [
    {
      name: 'status',
      label: columns.status,
      width: '124px',
      shown: 'phone',
      cell: ({ status }) => <ControlStatus status={status} />,
    },
    {
      name: 'title',
      label: columns.title,
      cell: (row) => <span class="cut strong">{controlName(row)}</span>,
    },
    {
      name: 'framework',
      label: columns.framework,
      width: 'minmax(240px, 1fr)',
      shown: 'phone',
      cell: ({ framework }) => <span class="cut">{words.frameworkPage(framework.name, framework.version)}</span>,
    },
    {
      name: 'exceptions',
      label: words.exceptions,
      width: '148px',
      shown: 'wide',
      cell: ({ exceptionsOnly }) => (exceptionsOnly ? words.exceptions : <span class="soft">–</span>),
    },
    { name: 'open', label: columns.open, width: '72px', cell: (row) => count(sum(row, 'openFindings')) },
    { name: 'accepted', label: columns.accepted, width: '84px', cell: (row) => count(sum(row, 'acceptedFindings')) },
  ],
};

/** The list with a choice of the frameworks that the service knows. */
function Controls() {
  const { data } = useFrameworks('');
  const frameworks = JSON.stringify(data?.map(({ id, name, version }) => [id, `${name} ${version}`]) ?? []);
  const chosen = useMemo(() => {
    const known: [string, string][] = JSON.parse(frameworks);
    const facets = [
      {
        name: 'framework',
        label: columns.framework,
        values: known.map(([value, label]) => ({ value, label })),
      },
      {
        name: 'status',
        label: columns.status,
        values: STATUSES.map((value) => ({ value, label: words.statuses[value] })),
      },
      {
        name: 'exceptionsOnly',
        label: words.exceptions,
        values: [{ value: 'true', label: words.exceptionsOnly }],
      },
    ];
    return { ...kind, facets, memory: memoryOf(kind) };
  }, [frameworks]);
  return <RecordList kind={chosen} />;
}

export const parts = { List: Controls, Page: pageOf(controlDetail), ahead: aheadOf(kind) };
