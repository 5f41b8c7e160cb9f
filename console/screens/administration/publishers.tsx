import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { wordsIn } from '../../filter/filter-text.ts';
import { CHECKED, choicesOf, chosenIn, type Field, type Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import { Act, LIST_SIZE, Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { RecordActs } from '../../records/record-acts.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { administration } from '../../texts/administration.ts';

const { publishers: words, ...shared } = administration.keys;
const base = '/api/v1/organization/trusted-publishers';

type Publisher = RecordOf<'TrustedPublisher'>;

const usePublishers = question(() => answerOf(client.GET(base, { params: { query: { paginateSize: LIST_SIZE } } })));

const boxed = (isOn: boolean) => (isOn ? CHECKED : '');

const changeable = (known?: Publisher): Field[] => [
  {
    name: 'repository',
    label: words.repository,
    hint: words.repositoryHint,
    kind: 'text',
    required: true,
    initial: known?.repository ?? '',
  },
  { name: 'refs', label: words.refs, hint: words.refsHint, kind: 'text', initial: known?.refs.join(', ') ?? '*' },
  {
    name: 'environment',
    label: words.environment,
    hint: words.environmentHint,
    kind: 'text',
    initial: known?.environment ?? '',
  },
  { name: 'pullRequests', label: words.pullRequests, kind: 'check', initial: boxed(known?.pullRequests ?? true) },
  { name: 'endsBranches', label: words.endsBranches, kind: 'check', initial: boxed(known?.endsBranches ?? true) },
];

const fields: Field[] = [
  {
    name: 'kind',
    label: words.host,
    kind: 'choice',
    options: choicesOf(words.hosts),
    initial: 'codehost_a',
  },
  { name: 'baseUrl', label: words.baseUrl, hint: words.baseUrlHint, kind: 'text' },
  ...changeable(),
];

const bodyOf = ({ text, maybe, isChecked }: Values) => ({
  repository: text('repository'),
  refs: wordsIn(text('refs')),
  environment: maybe('environment') ?? null,
  pullRequests: isChecked('pullRequests'),
  endsBranches: isChecked('endsBranches'),
});

function Acts({ publisher }: { publisher: Publisher }) {
  const params = { path: { id: publisher.id } };
  const headers = { 'if-match': `"${publisher.version}"` };
  return (
    <RecordActs
      name={publisher.repository}
      words={words}
      fields={changeable(publisher)}
      save={(values) => answerOf(client.PATCH(`${base}/{id}`, { params, headers, body: bodyOf(values) }))}
    >
      <Act
        label={shared.revoke}
        sure={shared.sure}
        done={words.revoked}
        run={() => answerOf(client.DELETE(`${base}/{id}`, { params }))}
      />
    </RecordActs>
  );
}

const columns: TableColumn<Publisher>[] = [
  {
    label: words.repository,
    cell: ({ repository, kind }) => (
      <>
        <span class="strong">{repository}</span> <span class="tag">{words.hosts[kind]}</span>
      </>
    ),
  },
  { label: words.refs, cell: ({ refs }) => refs.join(', ') },
  { label: shared.used, cell: ({ lastUsedAt }) => (lastUsedAt ? agoOf(lastUsedAt) : shared.unused) },
  { label: shared.by, cell: ({ createdBy }) => createdBy.name },
  { label: shared.status, cell: ({ status }) => <span class="tag">{status}</span> },
  { label: shared.actions, cell: (publisher) => publisher.status === 'active' && <Acts publisher={publisher} /> },
];

/** Repositories whose CI jobs report without a stored key. */
export const Publishers = () => (
  <Listing
    title={words.title}
    lead={words.lead}
    words={words}
    asked={usePublishers('')}
    columns={columns}
    keyOf={({ id }) => id}
  >
    <FormDialog
      label={words.add}
      lead={words.addLead}
      fields={fields}
      send={async (values): Promise<undefined> => {
        const host = { kind: chosenIn(words.hosts, values.text('kind')), baseUrl: values.maybe('baseUrl') ?? null };
        await answerOf(client.POST(base, { body: { ...host, ...bodyOf(values) } }));
      }}
    />
  </Listing>
);
