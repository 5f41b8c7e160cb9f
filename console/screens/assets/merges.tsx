import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf } from '../../parts/format.ts';
import { Act } from '../../parts/listing.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { onlyOf } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { merge } from '../../texts/inventory.ts';
import { nameOf, toolOf } from '../../texts/names.ts';
import { texts } from '../../texts.ts';
import { ChangePreview } from '../settings/change-preview.tsx';
import { OpenCounts } from './open-counts.tsx';
import { Views } from './views.tsx';

type Suggestion = RecordOf<'MergeSuggestion'>;
const { columns, ...words } = merge;
const STATUSES = ['open', 'accepted', 'dismissed'] as const;
const base = '/api/v1/assets/merge-suggestions';

const titleOf = (asset: Suggestion['asset']): string => asset?.name ?? words.gone;

/** One of the two assets, with what speaks for and against the merge. */
const Side = ({ asset, title }: { asset: Suggestion['asset']; title: string }) => (
  <Section title={title}>
    {asset === null ? (
      <p class="soft">{words.gone}</p>
    ) : (
      <>
        <p>
          <Link href={`/assets/${asset.id}`}>{asset.name}</Link>{' '}
          <span class="soft">{[nameOf(asset.type), asset.zone].filter(Boolean).join(', ')}</span>
        </p>
        <OpenCounts counts={asset.openFindings} />
        <Facts
          rows={[
            [texts.asset.ids.ips, asset.identifiers.ips.join(', ')],
            [texts.asset.ids.hostnames, [...asset.identifiers.hostnames, ...asset.identifiers.fqdns].join(', ')],
            [texts.asset.ids.macs, asset.identifiers.macs.join(', ')],
            [words.sources, asset.sources.map(toolOf).join(', ')],
            [words.seen, agoOf(asset.lastSeenAt)],
          ]}
        />
      </>
    )}
  </Section>
);

function Decision({ record: { id, status, taskId, assetId, intoId, decidedBy, decidedAt } }: { record: Suggestion }) {
  const at = { params: { path: { id } } };
  const decided = decidedBy && decidedAt && <p class="soft">{words.decided(decidedBy.name, agoOf(decidedAt))}</p>;
  if (status !== 'open')
    return (
      <>
        {decided}
        {status === 'accepted' && taskId && (
          <Act
            look="button"
            label={words.undo}
            done={words.undone}
            run={() => answerOf(client.POST('/api/v1/assets/merges/{taskId}/undo', { params: { path: { taskId } } }))}
          />
        )}
      </>
    );
  return (
    <>
      <ChangePreview change={{ operation: 'mergeAssets', id: assetId, body: { intoId } }} />
      <div class="actions">
        <Act
          look="button main"
          label={words.accept}
          done={words.accepted}
          run={() => answerOf(client.POST(`${base}/{id}/accept`, at))}
        />
        <Act
          look="button"
          label={words.dismiss}
          done={words.dismissed}
          run={() => answerOf(client.POST(`${base}/{id}/dismiss`, at))}
        />
      </div>
    </>
  );
}

const detail: Detail<Suggestion> = {
  title: texts.screens.merges,
  path: '/merges',
  useRecord: question(async (id) => onlyOf(await answerOf(client.GET(base, { params: { query: { ids: [id] } } })))),
  titleOf: ({ asset, into }) => `${titleOf(asset)} = ${titleOf(into)}`,
  Marks: ({ record: { status, certain } }) => (
    <>
      <span class="tag">{words.statuses[status]}</span>
      {certain && <span class="tag">{words.certain}</span>}
    </>
  ),
  Sections: ({ record }) => (
    <>
      <Section title={texts.finding.next}>
        <p>{record.reason}</p>
        <Decision record={record} />
      </Section>
      <Section title={words.same}>
        <Facts rows={record.evidence.map(({ kind, values }) => [kind, values.join(', ')])} />
        {record.differing.length > 0 && (
          <p class="soft">
            {words.differing}: {record.differing.join(', ')}
          </p>
        )}
      </Section>
      <Side asset={record.into} title={words.stays} />
      <Side asset={record.asset} title={words.goes} />
    </>
  ),
};

const kind: RecordKind<Suggestion> = {
  name: 'merge',
  feed: 'merge-suggestion',
  path: base,
  icon: 'layers',
  title: texts.screens.merges,
  words,
  facets: [
    {
      name: 'status',
      label: columns.status,
      values: STATUSES.map((value) => ({ value, label: words.statuses[value] })),
    },
  ],
  titleOf: ({ asset }) => titleOf(asset),
  load: (search) => answerOf(client.GET(base, asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: Views,
  columns: [
    { name: 'title', label: columns.title, cell: ({ asset }) => <span class="cut strong">{titleOf(asset)}</span> },
    {
      name: 'into',
      label: columns.into,
      width: 'minmax(120px, 1fr)',
      shown: 'phone',
      cell: ({ into }) => <span class="cut">{titleOf(into)}</span>,
    },
    {
      name: 'by',
      label: columns.by,
      width: 'minmax(140px, 1.4fr)',
      cell: ({ reason }) => <span class="cut">{reason}</span>,
    },
    {
      name: 'status',
      label: columns.status,
      width: '104px',
      shown: 'phone',
      cell: ({ status }) => <span class="tag">{words.statuses[status]}</span>,
    },
    { name: 'made', label: columns.made, width: '124px', shown: 'wide', cell: ({ createdAt }) => agoOf(createdAt) },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
