import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { wordsIn } from '../../filter/filter-text.ts';
import { choicesOf, chosenIn, type Field, type Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { linesOf, targetsIn } from '../../forms/targets.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, timeOf } from '../../parts/format.ts';
import { Related } from '../../parts/related.tsx';
import { Section } from '../../parts/section.tsx';
import { TargetList } from '../../parts/target-list.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { DetailActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { scanCredential } from '../../texts/scan-set-up.ts';
import { texts } from '../../texts.ts';
import { Views } from './views.tsx';

type Credential = RecordOf<'ScanCredential'>;
const { columns, ...words } = scanCredential;
const SECRETS = ['password', 'privateKey', 'passphrase', 'token'] as const;
const FIRST = 20;

const useReleases = question((id) =>
  answerOf(
    client.GET('/api/v1/credentials/{id}/releases', { params: { path: { id }, query: { paginateSize: FIRST } } }),
  ),
);

const whereOf = ({ targets, zones }: Credential): string =>
  words.whereOf(targets.length, zones.length) || words.everywhere;

const kindField: Field = {
  name: 'kind',
  label: words.kind,
  kind: 'choice',
  options: choicesOf(words.kinds),
};

const fieldsOf = (known?: Credential): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: known?.name ?? '' },
  { name: 'description', label: words.description, kind: 'text', initial: known?.description ?? '' },
  { name: 'username', label: words.username, kind: 'text', width: 'half', initial: known?.username ?? '' },
  { name: 'domain', label: words.domain, kind: 'text', width: 'half', initial: known?.domain ?? '' },
  ...SECRETS.map(
    (name, n): Field => ({
      name: `secret.${name}`,
      label: words.secrets[name],
      // a key has several lines
      kind: name === 'privateKey' ? 'long' : 'secret',
      ...(n === 0 && { hint: known ? words.keptHint : words.secretHint }),
    }),
  ),
  {
    name: 'targets',
    label: words.targets,
    hint: words.targetsHint,
    kind: 'long',
    initial: known ? linesOf(known.targets) : '',
  },
  { name: 'zones', label: words.zones, hint: words.zonesHint, kind: 'text', initial: known?.zones.join(', ') ?? '' },
];

const bodyOf = ({ text, maybe }: Values) => ({
  name: text('name'),
  description: maybe('description') ?? null,
  username: maybe('username') ?? null,
  domain: maybe('domain') ?? null,
  targets: targetsIn(text('targets')),
  zones: wordsIn(text('zones')),
});

const secretOf = ({ maybe }: Values): Partial<Record<(typeof SECRETS)[number], string>> =>
  Object.fromEntries(
    SECRETS.flatMap((name) => {
      const value = maybe(`secret.${name}`);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

function Sections({ record, put, changed }: PartProps<Credential>) {
  const at = { params: { path: { id: record.id } }, headers: { 'if-match': `"${record.version}"` } };
  return (
    <>
      <Section title={columns.where}>
        {record.description && <p>{record.description}</p>}
        {record.targets.length + record.zones.length === 0 && <p>{words.everywhere}</p>}
        <TargetList targets={record.targets} />
        <Facts
          rows={[
            [words.zones, record.zones.join(', ')],
            [columns.user, [record.domain, record.username].filter(Boolean).join('\\')],
            [words.has, record.secretFields.map((field) => words.secrets[field]).join(', ')],
            [columns.changed, timeOf(record.secretUpdatedAt)],
          ]}
        />
        <DetailActs
          of={{ record, put, changed }}
          words={words}
          fields={fieldsOf(record)}
          save={(values) => {
            const secret = secretOf(values);
            const body = { ...bodyOf(values), ...(Object.keys(secret).length > 0 && { secret }) };
            return answerOf(client.PATCH('/api/v1/credentials/{id}', { ...at, body }));
          }}
          remove={() => answerOf(client.DELETE('/api/v1/credentials/{id}', { params: at.params }))}
        />
      </Section>
      <Related title={words.releases} asked={useReleases(record.id)} none={words.noReleases}>
        {({ scanner, taskId, at: releasedAt }) => (
          <>
            <Link href={`/scanners/${scanner.id}`}>{scanner.name}</Link>
            <span class="soft">
              {agoOf(releasedAt)}, <Link href={`/scanner-tasks/${taskId}`}>{words.task}</Link>
            </span>
          </>
        )}
      </Related>
    </>
  );
}

const detail: Detail<Credential> = {
  title: texts.screens.scanCredentials,
  path: '/scan-credentials',
  useRecord: question((id) => answerOf(client.GET('/api/v1/credentials/{id}', { params: { path: { id } } }))),
  titleOf: ({ name }) => name,
  Marks: ({ record }) => <span class="tag">{words.kinds[record.kind]}</span>,
  Sections,
};

const Lead = () => (
  <>
    <Views />
    <p>
      <FormDialog
        label={words.add}
        fields={[kindField, ...fieldsOf()]}
        send={async (values): Promise<undefined> => {
          const body = {
            ...bodyOf(values),
            kind: chosenIn(words.kinds, values.text('kind')),
            secret: secretOf(values),
          };
          await answerOf(client.POST('/api/v1/credentials', { body }));
        }}
      />
    </p>
  </>
);

const kind: RecordKind<Credential> = {
  name: 'scan-credential',
  feed: 'scan-credential',
  path: '/api/v1/credentials',
  icon: 'key',
  title: texts.screens.scanCredentials,
  words,
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET('/api/v1/credentials', asTyped(search))),
  Drawer: drawerOf(detail),
  Lead,
  columns: [
    { name: 'title', label: columns.title, cell: ({ name }) => <span class="cut strong">{name}</span> },
    { name: 'kind', label: columns.kind, width: '180px', shown: 'phone', cell: (row) => words.kinds[row.kind] },
    {
      name: 'user',
      label: columns.user,
      width: '124px',
      cell: ({ username }) => <span class="cut">{username ?? '–'}</span>,
    },
    { name: 'where', label: columns.where, width: '140px', cell: whereOf },
    {
      name: 'changed',
      label: columns.changed,
      width: '148px',
      shown: 'wide',
      cell: ({ secretUpdatedAt }) => agoOf(secretUpdatedAt),
    },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
