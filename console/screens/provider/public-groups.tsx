import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { wordsIn } from '../../filter/filter-text.ts';
import { CHECKED, choicesOf, chosenIn, chosenOf, type Field, type Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { LIST_SIZE } from '../../parts/listing.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { DetailActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { count } from '../../texts/amounts.ts';
import { scannerGroup } from '../../texts/apex.ts';
import { publicGroup } from '../../texts/scan-set-up.ts';
import { texts } from '../../texts.ts';
import { Views } from './views.tsx';

type Group = RecordOf<'PublicScannerGroup'>;
const { columns, ...words } = publicGroup;
const base = '/api/v1/validation-operations/public-scanner-groups';

type Choices = readonly { value: string; label: string }[];

/** The provider's scanners, which a pool chooses from. */
const useScanners = question(async (): Promise<Choices> => {
  const query = { paginateSize: LIST_SIZE };
  const { data } = await answerOf(client.GET('/api/v1/validation-operations/public-scanners', { params: { query } }));
  return data.map(({ id, name }) => ({ value: id, label: name }));
});

const numberOf = (value: number | null | undefined): string => (value ? String(value) : '');

const fieldsOf = (scanners: Choices, known?: Group): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: known?.name ?? '' },
  { name: 'description', label: words.description, kind: 'text', initial: known?.description ?? '' },
  { name: 'region', label: words.region, kind: 'text', initial: known?.region ?? '' },
  ...(scanners.length === 0
    ? []
    : [
        {
          name: 'scannerIds',
          label: words.scanners,
          kind: 'choices',
          options: scanners,
          initial: chosenOf(known?.scannerIds ?? []),
        } satisfies Field,
      ]),
  {
    name: 'dispatch',
    label: words.dispatch,
    kind: 'choice',
    options: choicesOf(words.dispatches),
    initial: known?.dispatch ?? 'round_robin',
  },
  {
    name: 'maxConcurrentTasks',
    label: words.most,
    kind: 'number',
    width: 'half',
    initial: numberOf(known?.maxConcurrentTasks),
  },
  {
    name: 'maxConcurrentTasksPerOrganization',
    label: words.mostEach,
    kind: 'number',
    width: 'half',
    initial: numberOf(known?.maxConcurrentTasksPerOrganization),
  },
  {
    name: 'organizationIds',
    label: words.clients,
    hint: words.clientsHint,
    kind: 'text',
    initial: known?.organizationIds.join(', ') ?? '',
  },
  { name: 'enabled', label: words.isOpen, kind: 'check', initial: (known?.enabled ?? true) ? CHECKED : '' },
];

function bodyOf({ text, maybe, chosen, number, isChecked }: Values) {
  const organizationIds = wordsIn(text('organizationIds'));
  return {
    name: text('name'),
    description: maybe('description') ?? null,
    region: maybe('region') ?? null,
    scannerIds: chosen('scannerIds'),
    dispatch: chosenIn(words.dispatches, text('dispatch')),
    maxConcurrentTasks: number('maxConcurrentTasks') ?? null,
    maxConcurrentTasksPerOrganization: number('maxConcurrentTasksPerOrganization') ?? null,
    visibility: organizationIds.length > 0 ? ('selected' as const) : ('all' as const),
    organizationIds,
    enabled: isChecked('enabled'),
  };
}

const onlineOf = ({ scanners }: Pick<Group, 'scanners'>): string =>
  scanners ? scannerGroup.onlineOf(scanners.online, scanners.total) : '–';

function Sections({ record, put, changed }: PartProps<Group>) {
  const at = { params: { path: { id: record.id } }, headers: { 'if-match': `"${record.version}"` } };
  const { data: scanners } = useScanners('');
  const own = scanners?.filter(({ value }) => record.scannerIds.includes(value)) ?? [];
  return (
    <>
      <Section title={words.scanners}>
        {record.description && <p>{record.description}</p>}
        {record.scannerIds.length === 0 && <p class="overdue">{words.noScanners}</p>}
        <ul class="related">
          {own.map(({ value, label }) => (
            <li key={value}>
              <Link href={`/public-scanners/${value}`}>{label}</Link>
            </li>
          ))}
        </ul>
      </Section>
      <Section title={texts.finding.page.facts}>
        <Facts
          rows={[
            [columns.online, onlineOf(record)],
            [words.dispatch, words.dispatches[record.dispatch]],
            [words.most, record.maxConcurrentTasks !== null && count(record.maxConcurrentTasks)],
            [
              words.mostEach,
              record.maxConcurrentTasksPerOrganization !== null && count(record.maxConcurrentTasksPerOrganization),
            ],
            [columns.visible, words.visibility[record.visibility]],
            [texts.scanner.address, record.sourceIps?.join(', ')],
          ]}
        />
        {scanners && (
          <DetailActs
            of={{ record, put, changed }}
            words={words}
            fields={fieldsOf(scanners, record)}
            save={(values) => answerOf(client.PATCH(`${base}/{id}`, { ...at, body: bodyOf(values) }))}
            remove={() => answerOf(client.DELETE(`${base}/{id}`, { params: at.params }))}
          />
        )}
      </Section>
    </>
  );
}

const detail: Detail<Group> = {
  title: texts.screens.publicGroups,
  path: '/public-scanner-groups',
  useRecord: question((id) => answerOf(client.GET(`${base}/{id}`, { params: { path: { id } } }))),
  titleOf: ({ name }) => name,
  Marks: ({ record: { enabled, region } }) => (
    <>
      <span class="tag">{enabled ? words.open : words.closed}</span>
      {region && <span class="tag">{region}</span>}
    </>
  ),
  Sections,
};

function Lead() {
  const { data: scanners = [] } = useScanners('');
  return (
    <>
      <Views />
      <p>
        <FormDialog
          label={words.add}
          fields={fieldsOf(scanners)}
          send={async (values): Promise<undefined> => {
            await answerOf(client.POST(base, { body: bodyOf(values) }));
          }}
        />
      </p>
    </>
  );
}

const kind: RecordKind<RecordOf<'PublicScannerGroupListItem'>> = {
  name: 'public-scanner-group',
  path: base,
  icon: 'layers',
  title: texts.screens.publicGroups,
  words,
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET(base, asTyped(search))),
  Drawer: drawerOf(detail),
  Lead,
  columns: [
    { name: 'title', label: columns.title, cell: ({ name }) => <span class="cut strong">{name}</span> },
    { name: 'region', label: columns.region, width: '140px', cell: ({ region }) => region ?? '–' },
    { name: 'online', label: columns.online, width: '104px', shown: 'named', cell: onlineOf },
    { name: 'visible', label: columns.visible, width: '140px', cell: (row) => words.visibility[row.visibility] },
    {
      name: 'state',
      label: columns.state,
      width: '104px',
      shown: 'phone',
      cell: ({ enabled }) => <span class="tag">{enabled ? words.open : words.closed}</span>,
    },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
