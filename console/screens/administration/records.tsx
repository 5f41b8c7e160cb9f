import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { AuditEntry, Feed } from '../../api/types.ts';
import { agoOf } from '../../parts/format.ts';
import { Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { administration } from '../../texts/administration.ts';
import { count } from '../../texts/amounts.ts';

const { audit, feeds } = administration;
const NEWEST = 100;

const useAudit = question(() => answerOf(client.GET('/api/v1/audit', { params: { query: { limit: NEWEST } } })));

const auditColumns: TableColumn<AuditEntry>[] = [
  { label: audit.when, cell: ({ at }) => agoOf(at) },
  { label: audit.who, cell: ({ actor }) => <span class="strong">{actor.name}</span> },
  {
    label: audit.what,
    cell: ({ kind, operation }) => (
      <>
        {audit.did(kind)} <span class="soft small block">{operation}</span>
      </>
    ),
  },
  { label: audit.record, cell: ({ record }) => record?.entity.replaceAll('-', ' ') ?? '–' },
  { label: audit.fields, cell: ({ fields }) => <span class="small">{Object.keys(fields).join(', ') || '–'}</span> },
];

export const Audit = () => (
  <Listing
    title={audit.title}
    lead={audit.lead}
    words={audit}
    asked={useAudit('')}
    columns={auditColumns}
    keyOf={({ number }) => String(number)}
  />
);

const useFeeds = question(async () => ({ data: await answerOf(client.GET('/api/v1/advisories/feeds')) }));

const feedColumns: TableColumn<Feed>[] = [
  {
    label: feeds.name,
    cell: ({ name, sample }) => (
      <>
        <span class="strong">{name.toUpperCase()}</span> {sample && <span class="tag">{feeds.sample}</span>}
      </>
    ),
  },
  { label: feeds.entries, cell: ({ entries }) => (entries === null ? '–' : count(entries)) },
  { label: feeds.checked, cell: ({ checkedAt }) => (checkedAt ? agoOf(checkedAt) : feeds.never) },
  { label: feeds.published, cell: ({ publishedAt }) => (publishedAt ? agoOf(publishedAt) : '–') },
];

/** The state of the feeds that the provider reads. */
export const Service = () => (
  <Listing
    title={feeds.title}
    lead={feeds.lead}
    words={feeds}
    asked={useFeeds('')}
    columns={feedColumns}
    keyOf={({ name }) => name}
  />
);
