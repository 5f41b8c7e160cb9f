import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { wordsIn } from '../../filter/filter-text.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { DetailActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { filtered } from '../../shell/links.ts';
import { zone } from '../../texts/scan-set-up.ts';
import { texts } from '../../texts.ts';
import { Views } from './views.tsx';

type Zone = RecordOf<'Zone'>;
const { columns, ...words } = zone;

const fieldsOf = (known?: Zone): Field[] => [
  { name: 'description', label: words.description, kind: 'text', initial: known?.description ?? '' },
  { name: 'cidrs', label: words.cidrs, hint: words.cidrsHint, kind: 'long', initial: known?.cidrs.join(', ') ?? '' },
];

const bodyOf = ({ text, maybe }: Values) => ({
  description: maybe('description') ?? null,
  cidrs: wordsIn(text('cidrs')),
});

const detail: Detail<Zone> = {
  title: texts.screens.zones,
  path: '/zones',
  useRecord: question((id) => answerOf(client.GET('/api/v1/zones/{id}', { params: { path: { id } } }))),
  titleOf: ({ name }) => name,
  Marks: () => null,
  Sections: ({ record, put, changed }) => {
    const params = { path: { id: record.id } };
    const headers = { 'if-match': `"${record.version}"` };
    return (
      <Section title={words.cidrs}>
        {record.description && <p>{record.description}</p>}
        {record.cidrs.length === 0 && <p class="soft">{words.none}</p>}
        <ul class="bullets">
          {record.cidrs.map((cidr) => (
            <li key={cidr}>
              <code>{cidr}</code>
            </li>
          ))}
        </ul>
        <p>
          <Link href={filtered('/assets', `zone:${JSON.stringify(record.name)}`)}>{words.assets}</Link>
        </p>
        <DetailActs
          of={{ record, put, changed }}
          words={words}
          fields={fieldsOf(record)}
          save={(values) => answerOf(client.PATCH('/api/v1/zones/{id}', { params, headers, body: bodyOf(values) }))}
          remove={() => answerOf(client.DELETE('/api/v1/zones/{id}', { params }))}
        />
      </Section>
    );
  },
};

const nameField: Field = { name: 'name', label: words.name, hint: words.nameHint, kind: 'text', required: true };

const Lead = () => (
  <>
    <Views />
    <p>
      <FormDialog
        label={words.add}
        fields={[nameField, ...fieldsOf()]}
        send={async (values): Promise<undefined> => {
          await answerOf(client.POST('/api/v1/zones', { body: { name: values.text('name'), ...bodyOf(values) } }));
        }}
      />
    </p>
  </>
);

const kind: RecordKind<Zone> = {
  name: 'zone',
  feed: 'zone',
  path: '/api/v1/zones',
  icon: 'layers',
  title: texts.screens.zones,
  words,
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET('/api/v1/zones', asTyped(search))),
  Drawer: drawerOf(detail),
  Lead,
  columns: [
    {
      name: 'title',
      label: columns.title,
      cell: ({ name, description }) => (
        <>
          <span class="cut strong">{name}</span>
          <span class="cut soft small">{description}</span>
        </>
      ),
    },
    {
      name: 'cidrs',
      label: columns.cidrs,
      width: 'minmax(140px, 1fr)',
      shown: 'phone',
      cell: ({ cidrs }) => <span class="cut">{cidrs.join(', ') || '–'}</span>,
    },
    { name: 'made', label: columns.made, width: '124px', cell: ({ createdAt }) => agoOf(createdAt) },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
