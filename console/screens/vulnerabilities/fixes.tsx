import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { FixGroup } from '../../api/types.ts';
import { Facts } from '../../parts/facts.tsx';
import { Score, SeverityMark } from '../../parts/marks.tsx';
import { Related } from '../../parts/related.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { onlyOf, SEVERITY_FACET } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { severityColumn } from '../../records/usual-columns.tsx';
import { pageOf as listPage } from '../../shell/links.ts';
import { count } from '../../texts/amounts.ts';
import { texts } from '../../texts.ts';
import { OpenCounts } from '../assets/open-counts.tsx';
import { VulnerabilityViews } from './views.tsx';

const { columns, ...words } = texts.vulnerability.fix;
const FIRST = 8;

/** The list that the figure of the service names, and no other. */
const useClosed = question((list) => {
  const [, search = ''] = list.split('?');
  return answerOf(client.GET('/api/v1/vulnerabilities', asTyped(`${search}&paginateSize=${FIRST}`)));
});

const detail: Detail<FixGroup> = {
  title: texts.screens.fixes,
  path: '/fixes',
  useRecord: question(async (id) =>
    onlyOf(await answerOf(client.GET('/api/v1/vulnerabilities/by-fix', { params: { query: { ids: [id] } } }))),
  ),
  titleOf: ({ component, version }) => words.to(component.name, version),
  Marks: ({ record: { severity } }) => <SeverityMark severity={severity} />,
  Sections: ({ record }) => {
    const { component, version, closes, assets, openBySeverity, priority, links } = record;
    return (
      <>
        <Section title={texts.finding.next}>
          <p class="strong">{words.action(component.name, version)}</p>
        </Section>
        <Section title={texts.finding.matters}>
          <p>{words.effect(closes, assets)}</p>
          <OpenCounts counts={openBySeverity} lists={links.list} name="openBySeverity" />
          <p class="facts">
            {columns.priority} <Score value={priority} />
          </p>
          <Facts rows={[[words.package, component.purl && <code>{component.purl}</code>]]} />
        </Section>
        <Related
          title={words.which}
          asked={useClosed(links.list.closes ?? '')}
          none={texts.vulnerability.advisory.none}
          all={listPage(links.list.closes)}
        >
          {({ id, advisoryId, asset, severity }) => (
            <>
              <Link href={`/vulnerabilities/${id}`}>{advisoryId}</Link>
              <span class="soft">{asset.name}</span>
              <SeverityMark severity={severity} />
            </>
          )}
        </Related>
      </>
    );
  },
};

const kind: RecordKind<FixGroup> = {
  name: 'fix',
  path: '/api/v1/vulnerabilities/by-fix',
  icon: 'wrench',
  title: texts.screens.vulnerabilities,
  words,
  facets: [SEVERITY_FACET],
  orders: [
    { value: 'newest', label: texts.list.orders.newest },
    { value: 'closes', label: words.closes },
  ],
  titleOf: ({ component, version }) => words.to(component.name, version),
  load: (search) => answerOf(client.GET('/api/v1/vulnerabilities/by-fix', asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: VulnerabilityViews,
  columns: [
    severityColumn(columns.severity),
    {
      name: 'title',
      label: columns.title,
      cell: ({ component, version }) => (
        <span class="cut strong">
          {component.name} <span class="plain">{version}</span>
        </span>
      ),
    },
    { name: 'closes', label: columns.closes, width: '72px', shown: 'named', cell: ({ closes }) => count(closes) },
    { name: 'assets', label: columns.assets, width: '72px', cell: ({ assets }) => count(assets) },
    { name: 'priority', label: columns.priority, width: '96px', cell: (row) => <Score value={row.priority} /> },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
