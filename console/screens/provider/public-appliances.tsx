import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { CHECKED, type Field, type Values } from '../../forms/field.ts';
import { act } from '../../parts/act.ts';
import { StatusMark } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { DetailActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { Turn } from '../../records/turn.tsx';
import { appliance } from '../../texts/apex.ts';
import { texts } from '../../texts.ts';
import { ApplianceFacts, applianceColumns } from '../apex/appliance-facts.tsx';
import { Views } from './views.tsx';

type Appliance = RecordOf<'PublicApexAppliance'>;
const base = '/api/v1/validation-operations/public-apex';
const words = { ...appliance, ...appliance.provider };

const fieldsOf = (known: Appliance): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: known.name },
  { name: 'capacity', label: words.capacity, kind: 'number', initial: String(known.capacity ?? '') },
  {
    name: 'public',
    label: words.isPublic,
    hint: words.isPublicHint,
    kind: 'check',
    initial: known.public ? CHECKED : '',
  },
  { name: 'notes', label: words.notes, kind: 'long', initial: known.notes ?? '' },
];

const bodyOf = ({ text, maybe, number, isChecked }: Values) => ({
  name: text('name'),
  capacity: number('capacity') ?? null,
  public: isChecked('public'),
  notes: maybe('notes') ?? null,
});

function Sections({ record, put, changed }: PartProps<Appliance>) {
  const at = { params: { path: { id: record.id } }, headers: { 'if-match': `"${record.version}"` } };
  return (
    <>
      <Turn
        text={words.next[record.status]}
        isOn={record.enabled}
        words={words}
        turn={(enabled) =>
          void act(client.PATCH(`${base}/{id}`, { ...at, body: { enabled } }), { done: words.changed, put, changed })
        }
      />
      <Section title={texts.finding.page.facts}>
        <ApplianceFacts record={record} />
        <DetailActs
          of={{ record, put, changed }}
          words={words}
          fields={fieldsOf(record)}
          save={(values) => answerOf(client.PATCH(`${base}/{id}`, { ...at, body: bodyOf(values) }))}
          remove={() => answerOf(client.DELETE(`${base}/{id}`, { params: at.params }))}
        />
      </Section>
    </>
  );
}

const detail: Detail<Appliance> = {
  title: texts.screens.publicAppliances,
  path: '/public-appliances',
  useRecord: question((id) => answerOf(client.GET(`${base}/{id}`, { params: { path: { id } } }))),
  titleOf: ({ name }) => name,
  Marks: ({ record }) => (
    <>
      <StatusMark status={record.status} />
      <span class="tag">{record.public ? words.forAll : words.own}</span>
    </>
  ),
  Sections,
};

const kind: RecordKind<Appliance> = {
  name: 'public-appliance',
  path: base,
  icon: 'target',
  title: texts.screens.publicAppliances,
  words,
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET(base, asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: Views,
  columns: [
    ...applianceColumns,
    {
      name: 'public',
      label: words.serves,
      width: '132px',
      cell: (row) => <span class="tag">{row.public ? words.forAll : words.own}</span>,
    },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
