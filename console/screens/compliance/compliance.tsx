import { Link } from 'wouter-preact';
import '../../style/administration.css';
import '../../style/compliance.css';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Framework } from '../../api/types.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { Table, type TableColumn } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { pageOf } from '../../shell/links.ts';
import { compliance } from '../../texts/compliance.ts';
import { texts } from '../../texts.ts';
import { ControlCount, ControlsBar } from './controls-bar.tsx';
import { FrameworkPage } from './framework.tsx';
import { GroupChoice, useGroup, VIEWS, withGroup } from './group.tsx';

const { columns: labels, ...words } = compliance;

const useFrameworks = question((search) => answerOf(client.GET('/api/v1/compliance/frameworks', asTyped(search))));
const useSummary = question(() => answerOf(client.GET('/api/v1/dashboards/overview/system/compliance')));

const columnsOf = (search: string): TableColumn<Framework>[] => [
  {
    label: labels.framework,
    cell: ({ id, name, version }) => (
      <>
        <Link class="strong" href={withGroup(`/compliance/${id}`, search)}>
          {name}
        </Link>{' '}
        <span class="soft small">{version}</span>
      </>
    ),
  },
  {
    label: labels.score,
    cell: (framework) => (
      <span class="controls-state">
        <b>{words.score(framework.score)}</b>
        <ControlsBar framework={framework} />
      </span>
    ),
  },
  { label: labels.failed, cell: (framework) => <ControlCount of="failed" framework={framework} /> },
  { label: labels.passed, cell: (framework) => <ControlCount of="passed" framework={framework} /> },
  { label: labels.notAssessed, cell: (framework) => <ControlCount of="notAssessed" framework={framework} /> },
  { label: labels.exceptions, cell: (framework) => <ControlCount of="exceptionsOnly" framework={framework} /> },
];

/** Frameworks with failures come first, and those without any assessed control last. */
const worstFirst = (one: Framework, other: Framework): number =>
  Number(one.score === null) - Number(other.score === null) || other.controls.failed - one.controls.failed;

/** How many controls fail, and how each framework is. */
function Frameworks() {
  const { search } = useGroup();
  const { data, error, ask } = useFrameworks(search);
  return (
    <div class="page">
      <h1>{texts.screens.compliance}</h1>
      <Tabs label={words.views} tabs={VIEWS} />
      {!error && search === '' && <Verdict isKnown={data?.some(({ score }) => score !== null)} />}
      <p class="soft lead">{words.lead}</p>
      <GroupChoice />
      {error && <Failed error={error} again={ask} />}
      {!data && !error && <Loading lines={9} />}
      {data && (
        <Table
          caption={words.frameworks}
          columns={columnsOf(search)}
          rows={data.toSorted(worstFirst)}
          keyOf={({ id }) => id}
        />
      )}
    </div>
  );
}

/** Of all assets: the number of failed controls, and whether there were more a month ago. */
function Verdict({ isKnown }: { isKnown: boolean | undefined }) {
  const { data } = useSummary('');
  if (!data || isKnown === undefined) return <Loading lines={1} />;
  const { failedControls, change30d, links } = data;
  const page = pageOf(links.list.failedControls);
  return (
    <p class="compliance-verdict">
      {!isKnown && failedControls === 0 && words.unknown}
      {isKnown && failedControls === 0 && words.allWell}
      {failedControls > 0 && <Link href={page ?? '/controls'}>{words.failing(failedControls)}</Link>}{' '}
      {change30d !== null && <span class="soft">{words.change(change30d)}</span>}
    </p>
  );
}

const ahead = (): void => {
  useFrameworks.ahead('');
  useSummary.ahead('');
};

export const parts = { List: Frameworks, Page: FrameworkPage, ahead };
