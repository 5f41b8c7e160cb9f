import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { AdvisoryGroup } from '../../api/types.ts';
import { percentOf } from '../../parts/format.ts';
import { Score, SeverityMark } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { onlyOf, SEVERITY_FACET } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { severityColumn } from '../../records/usual-columns.tsx';
import { count } from '../../texts/amounts.ts';
import { texts } from '../../texts.ts';
import { OpenCounts } from '../assets/open-counts.tsx';
import { AdvisoryAssets, AdvisoryFacts } from './advisory.tsx';
import { AdvisoryNext } from './advisory-next.tsx';
import { VulnerabilityViews } from './views.tsx';

const { columns, ...words } = texts.vulnerability.advisory;
const { newest, priority } = texts.list.orders;

const useAssets = question(() => answerOf(client.GET('/api/v1/assets', { params: { query: { paginateSize: 1 } } })));

/** On how many of all assets, as a person speaks of it. */
function OfAssets({ assets }: { assets: number }) {
  const { data } = useAssets('');
  return <>{words.ofAssets(assets, data?.totalCount)}</>;
}

const detail: Detail<AdvisoryGroup> = {
  title: texts.screens.advisories,
  path: '/advisories',
  useRecord: question(async (id) =>
    onlyOf(await answerOf(client.GET('/api/v1/vulnerabilities/by-advisory', { params: { query: { ids: [id] } } }))),
  ),
  titleOf: ({ advisoryId }) => advisoryId,
  Marks: ({ record: { severity, kev } }) => (
    <>
      <SeverityMark severity={severity} />
      {kev && <span class="tag tag-kev">KEV</span>}
    </>
  ),
  Sections: ({ record: { advisoryId, open, assets, openBySeverity, priority: value, links }, changed }) => (
    <>
      <AdvisoryNext advisoryId={advisoryId} open={open} changed={changed} />
      <Section title={texts.finding.wrong}>
        <p class="strong">{words.openOn(open, assets)}</p>
        <OpenCounts counts={openBySeverity} lists={links.list} name="openBySeverity" />
      </Section>
      <Section title={texts.finding.matters}>
        <p class="facts">
          {columns.priority} <Score value={value} />
        </p>
      </Section>
      <AdvisoryFacts advisoryId={advisoryId} />
      <AdvisoryAssets advisoryId={advisoryId} />
    </>
  ),
};

const kind: RecordKind<AdvisoryGroup> = {
  name: 'advisory',
  path: '/api/v1/vulnerabilities/by-advisory',
  icon: 'vulnerabilities',
  title: texts.screens.vulnerabilities,
  words,
  facets: [SEVERITY_FACET],
  orders: [
    { value: 'newest', label: newest },
    { value: 'priority', label: priority },
  ],
  titleOf: ({ advisoryId }) => advisoryId,
  load: (search) => answerOf(client.GET('/api/v1/vulnerabilities/by-advisory', asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: VulnerabilityViews,
  columns: [
    severityColumn(columns.severity),
    {
      name: 'title',
      label: columns.title,
      cell: ({ advisoryId, kev }) => (
        <span class="cut strong">
          {kev && <span class="tag tag-kev">KEV</span>}
          {advisoryId}
        </span>
      ),
    },
    { name: 'assets', label: columns.assets, width: '150px', shown: 'phone', cell: (row) => <OfAssets {...row} /> },
    { name: 'open', label: columns.open, width: '72px', cell: ({ open }) => count(open) },
    { name: 'epss', label: columns.epss, width: '80px', cell: ({ epss }) => (epss === null ? '–' : percentOf(epss)) },
    { name: 'priority', label: columns.priority, width: '96px', cell: (row) => <Score value={row.priority} /> },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
