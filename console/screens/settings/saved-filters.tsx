import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { FilterInput, SavedFilter } from '../../api/types.ts';
import { filterAfter, textOf } from '../../filter/filter-text.ts';
import { CHECKED, type Field, type Values } from '../../forms/field.ts';
import { LIST_SIZE, Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { RecordActs } from '../../records/record-acts.tsx';
import { nameOf } from '../../texts/names.ts';
import { settings } from '../../texts/settings.ts';
import { texts } from '../../texts.ts';

const words = settings.filters;
const base = '/api/v1/saved-filters';

const useFilters = question(() => answerOf(client.GET(base, { params: { query: { paginateSize: LIST_SIZE } } })));

const usePreview = question(async (about: string) => {
  const { id, filter }: { id: string; filter: FilterInput } = JSON.parse(about);
  return answerOf(client.POST(`${base}/{id}/preview`, { params: { path: { id } }, body: { filter } }));
});

const fieldsOf = ({ name, filter, visibility }: SavedFilter): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: name },
  { name: 'filter', label: words.filter, kind: 'long', required: true, initial: textOf(filter) },
  {
    name: 'visibility',
    label: texts.views.share,
    kind: 'check',
    initial: visibility === 'shared' ? CHECKED : '',
  },
];

const filterIn = ({ maybe }: Values, { filter }: SavedFilter): FilterInput =>
  filterAfter(maybe('filter'), { filter }).filter ?? filter;

/** The records that begin and cease to fit, and the rules that follow. */
function Preview({ id, filter }: { id: string; filter: FilterInput }) {
  const { data, error } = usePreview(JSON.stringify({ id, filter }));
  return (
    <p class="preview" aria-live="polite">
      {error && <span class="overdue">{error.message}</span>}
      {!error && data && words.preview(data.begin.count, data.cease.count)}
      {!error && data && data.usedBy.length > 0 && ` ${words.follow(data.usedBy.length)}`}
    </p>
  );
}

/** The page of these records with this filter. */
const LISTS: Partial<Record<SavedFilter['entity'], string>> = {
  finding: '/findings',
  vulnerability: '/vulnerabilities',
  asset: '/assets',
  alert: '/alerts',
  incident: '/incidents',
  'exposed-credential': '/exposed-credentials',
  identity: '/identities',
  ticket: '/tickets',
  engagement: '/engagements',
  application: '/applications',
  'scanner-task': '/scanner-tasks',
};

const columns: TableColumn<SavedFilter>[] = [
  {
    label: words.name,
    cell: ({ id, name, entity }) => {
      const page = LISTS[entity];
      return page ? <Link href={`${page}?filterId=${id}`}>{name}</Link> : <span class="strong">{name}</span>;
    },
  },
  { label: words.records, cell: ({ entity }) => entity.replaceAll('-', ' ') },
  { label: words.filter, cell: ({ filter }) => <code>{textOf(filter)}</code> },
  { label: words.usedBy, cell: UsedBy },
  {
    label: words.by,
    cell: ({ createdBy, visibility }) => (
      <>
        {createdBy.name} <span class="tag">{texts.views[visibility]}</span>
      </>
    ),
  },
  { label: settings.actions, cell: Actions },
];

function UsedBy({ usedBy }: SavedFilter) {
  if (usedBy.length === 0) return <span class="soft">–</span>;
  return (
    <span class="small">
      {usedBy.map(({ type, id, name }) => (
        <span key={`${type} ${id}`} class="block">
          {name} <span class="soft">{nameOf(type)}</span>
        </span>
      ))}
    </span>
  );
}

function Actions(saved: SavedFilter) {
  const { id, version, name } = saved;
  const params = { path: { id } };
  return (
    <RecordActs
      name={name}
      words={words}
      fields={fieldsOf(saved)}
      preview={(values) => <Preview id={id} filter={filterIn(values, saved)} />}
      save={(values) =>
        answerOf(
          client.PATCH(`${base}/{id}`, {
            params,
            headers: { 'if-match': `"${version}"` },
            body: {
              name: values.text('name'),
              filter: filterIn(values, saved),
              visibility: values.isChecked('visibility') ? 'shared' : 'private',
            },
          }),
        )
      }
      remove={() => answerOf(client.DELETE(`${base}/{id}`, { params }))}
    />
  );
}

export const SavedFilters = () => (
  <Listing
    title={words.title}
    lead={words.lead}
    words={words}
    asked={useFilters('')}
    columns={columns}
    keyOf={({ id }) => id}
  />
);
