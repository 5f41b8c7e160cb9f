import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { ScannedBranch } from '../../api/types.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, timeOf } from '../../parts/format.ts';
import { Act } from '../../parts/listing.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { onlyOf } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import type { Page } from '../../records/page.ts';
import { RecordActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import { texts } from '../../texts.ts';
import { Gate } from './gate.tsx';
import { Views } from './views.tsx';

const { columns, ...words } = texts.branch;
const SHORT = 10;

type Branch = ScannedBranch & { repository: string };

/** A branch names its repository by the id: the names of a page are read together. */
async function named({ data, ...page }: Page<ScannedBranch>): Promise<Page<Branch>> {
  const ids = [...new Set(data.map(({ assetId }) => assetId))];
  const assets = ids.length === 0 ? [] : await assetsOf(ids);
  const names = new Map(assets.map(({ id, name }) => [id, name]));
  return { ...page, data: data.map((branch) => ({ ...branch, repository: names.get(branch.assetId) ?? '' })) };
}

const assetsOf = async (ids: string[]) =>
  (await answerOf(client.GET('/api/v1/assets', { params: { query: { ids, paginateSize: ids.length } } }))).data;

/** A report without a ref is of the main branch, whose name the service does not know before another report names it. */
const nameOf = ({ name }: Pick<ScannedBranch, 'name'>): string => name || words.unnamed;

const roleOf = ({ isDefault, isGuessed }: ScannedBranch): string => {
  if (!isDefault) return words.other;
  return isGuessed ? words.guessed : words.default;
};

const commitOf = ({ lastScan }: ScannedBranch) =>
  lastScan?.commit ? <code>{lastScan.commit.slice(0, SHORT)}</code> : <span class="soft">–</span>;

/** The findings of other branches are compared with those of the main branch. */
function Acts({ record, changed }: { record: Branch; changed: () => void }) {
  const { id, version, isDefault, isGuessed } = record;
  const params = { path: { id } };
  const isSure = isDefault && !isGuessed;
  return (
    <RecordActs
      name={nameOf(record)}
      words={words}
      remove={async () => {
        await answerOf(client.DELETE('/api/v1/scanned-branches/{id}', { params }));
        changed();
      }}
    >
      {!isSure && (
        <Act
          label={words.makeMain}
          done={words.saved}
          run={async () => {
            const headers = { 'if-match': `"${version}"` };
            const body = { isDefault: true };
            await answerOf(client.PATCH('/api/v1/scanned-branches/{id}', { params, headers, body }));
            changed();
          }}
        />
      )}
    </RecordActs>
  );
}

const detail: Detail<Branch> = {
  title: texts.screens.branches,
  path: '/branches',
  useRecord: question(async (id) =>
    onlyOf(await named(await answerOf(client.GET('/api/v1/scanned-branches', { params: { query: { ids: [id] } } })))),
  ),
  titleOf: nameOf,
  Marks: ({ record }) => (
    <>
      <span class="tag">{roleOf(record)}</span>
      {record.endedAt && <span class="tag">{words.ended}</span>}
    </>
  ),
  Sections: ({ record, changed }) => (
    <>
      <Gate taskId={record.lastScan?.taskId} repository={record.repository} branch={record.name} />
      <Section title={texts.finding.page.facts}>
        <Facts
          rows={[
            [columns.asset, <Link href={`/assets/${record.assetId}`}>{record.repository || words.repository}</Link>],
            [columns.scanned, record.lastScan && timeOf(record.lastScan.at)],
            [columns.commit, record.lastScan?.commit && <code>{record.lastScan.commit}</code>],
            [words.former, record.formerNames.join(', ')],
            [words.ended, record.endedAt && timeOf(record.endedAt)],
          ]}
        />
        <Acts record={record} changed={changed} />
      </Section>
    </>
  ),
};

const kind: RecordKind<Branch> = {
  name: 'branch',
  feed: 'branch',
  path: '/api/v1/scanned-branches',
  icon: 'branch',
  title: texts.screens.branches,
  words,
  titleOf: nameOf,
  load: async (search) => named(await answerOf(client.GET('/api/v1/scanned-branches', asTyped(search)))),
  Drawer: drawerOf(detail),
  Lead: Views,
  columns: [
    {
      name: 'title',
      label: columns.title,
      cell: (row) => (
        <>
          <span class="cut strong">{nameOf(row)}</span>
          <span class="cut soft small">{row.repository}</span>
        </>
      ),
    },
    { name: 'role', label: columns.role, width: '168px', shown: 'phone', cell: roleOf },
    {
      name: 'scanned',
      label: columns.scanned,
      width: '124px',
      shown: 'phone',
      cell: ({ lastScan }) => (lastScan ? agoOf(lastScan.at) : <span class="soft">–</span>),
    },
    { name: 'commit', label: columns.commit, width: '124px', cell: commitOf },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
