import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { Facts, Tags } from '../../parts/facts.tsx';
import { agoOf, timeOf } from '../../parts/format.ts';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { onlyOf } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { FROM_INTEGRATIONS } from '../../records/starts.ts';
import { filtered, isOfWeb } from '../../shell/links.ts';
import { count } from '../../texts/amounts.ts';
import { repository } from '../../texts/repository.ts';
import { texts } from '../../texts.ts';
import { OpenCounts } from '../assets/open-counts.tsx';
import { Views } from './views.tsx';

type Repository = RecordOf<'Repository'>;
const { columns, ...words } = repository;
const base = '/api/v1/application-exposure/repositories';

const detail: Detail<Repository> = {
  title: texts.screens.repositories,
  path: '/repositories',
  useRecord: question(async (id) => onlyOf(await answerOf(client.GET(base, { params: { query: { ids: [id] } } })))),
  titleOf: ({ fullName }) => fullName,
  Marks: ({ record: { visibility, archived } }) => (
    <>
      <span class="tag">{words.visibility[visibility]}</span>
      {archived && <span class="tag">{words.archived}</span>}
    </>
  ),
  Sections: ({ record }) => (
    <>
      <Section title={words.about}>
        <p class={record.description ? '' : 'soft'}>{record.description ?? words.noDescription}</p>
        <OpenCounts counts={record.openFindings} />
        <p class="acts">
          <Link href={filtered('/findings', `asset.id:${record.assetId} status:open,in_progress`)}>
            {words.findings}
          </Link>
          <Link href={`/assets/${record.assetId}`}>{words.asset}</Link>
          {isOfWeb(record.url) && (
            <a href={record.url} rel="noreferrer">
              {words.host}
            </a>
          )}
        </p>
      </Section>
      <Section title={texts.finding.page.facts}>
        <Facts
          rows={[
            [words.default, record.defaultBranch],
            [columns.branches, count(record.branches)],
            [words.language, record.language],
            [words.pushed, record.pushedAt && timeOf(record.pushedAt)],
            [columns.scanned, record.lastScanAt && timeOf(record.lastScanAt)],
            [words.next, record.nextScanAt && timeOf(record.nextScanAt)],
          ]}
        />
        <Tags tags={[...record.topics, ...record.tags]} />
      </Section>
    </>
  ),
};

const kind: RecordKind<Repository> = {
  name: 'repository',
  feed: 'repository',
  path: base,
  icon: 'branch',
  title: texts.screens.repositories,
  words,
  start: FROM_INTEGRATIONS,
  titleOf: ({ fullName }) => fullName,
  load: (search) => answerOf(client.GET(base, asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: Views,
  columns: [
    {
      name: 'title',
      label: columns.title,
      cell: ({ fullName, language }) => (
        <>
          <span class="cut strong">{fullName}</span>
          <span class="cut soft small">{language}</span>
        </>
      ),
    },
    {
      name: 'visibility',
      label: columns.visibility,
      width: '124px',
      cell: ({ visibility }) => words.visibility[visibility],
    },
    {
      name: 'open',
      label: columns.open,
      width: '210px',
      shown: 'phone',
      cell: ({ openFindings }) => <OpenCounts counts={openFindings} />,
    },
    { name: 'branches', label: columns.branches, width: '92px', cell: ({ branches }) => count(branches) },
    {
      name: 'scanned',
      label: columns.scanned,
      width: '124px',
      shown: 'phone',
      cell: ({ lastScanAt }) => (lastScanAt ? agoOf(lastScanAt) : <span class="soft">–</span>),
    },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
