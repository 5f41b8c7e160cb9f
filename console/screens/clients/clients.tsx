import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Client } from '../../api/types.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import { LIST_SIZE } from '../../parts/listing.tsx';
import type { Column, RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { role } from '../../session.ts';
import { count } from '../../texts/amounts.ts';
import { clients as texts } from '../../texts/clients.ts';
import { OpenCounts } from '../assets/open-counts.tsx';
import { ClientDrawer, ClientPage } from './client-detail.tsx';
import { Views } from './views.tsx';

const { columns, ...words } = texts;
const STATUSES = ['trial', 'active', 'suspended', 'deleting'] as const;

/** The templates with which a new client may begin. */
const useTemplates = question(async () => {
  const params = { query: { paginateSize: LIST_SIZE } };
  const { data } = await answerOf(client.GET('/api/v1/organizations/all/templates', { params }));
  return data.map(({ id, name }) => ({ value: id, label: name }));
});

const fieldsOf = (templates: readonly { value: string; label: string }[]): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true },
  { name: 'owner.name', label: words.ownerName, kind: 'text', required: true },
  { name: 'owner.email', label: words.ownerEmail, kind: 'email', required: true },
  {
    name: 'templateId',
    label: words.template,
    kind: 'choice',
    options: [{ value: '', label: words.noTemplate }, ...templates],
  },
];

async function add({ text, maybe }: Values): Promise<undefined> {
  const templateId = maybe('templateId');
  const owner = { name: text('owner.name'), email: text('owner.email') };
  const body = { name: text('name'), owner, ...(templateId && { templateId }) };
  await answerOf(client.POST('/api/v1/organizations', { body }));
}

/** Only platform owners make clients. */
function Lead() {
  const { data: templates = [] } = useTemplates('');
  return (
    <>
      <Views />
      {role.value === 'platform_owner' && (
        <p>
          <FormDialog label={words.add} fields={fieldsOf(templates)} send={add} />
        </p>
      )}
    </>
  );
}

type Figure = 'overdue' | 'kevOpen' | 'assets' | 'scannersOffline' | 'integrationsFailed' | 'poolMinutes30d';

const figure = (name: Figure, label: string, more: Partial<Column<Client>> = {}): Column<Client> => ({
  name,
  label,
  width: '70px',
  cell: ({ summary }) => count(summary[name]),
  ...more,
});

const kind: RecordKind<Client> = {
  name: 'client',
  path: '/api/v1/organizations/overview',
  icon: 'layers',
  title: words.title,
  words,
  titleOf: ({ name }) => name,
  facets: [
    {
      name: 'status',
      label: columns.status,
      values: STATUSES.map((value) => ({ value, label: words.statuses[value] })),
    },
  ],
  load: (search) => answerOf(client.GET('/api/v1/organizations/overview', asTyped(search))),
  Drawer: ClientDrawer,
  Lead,
  columns: [
    {
      name: 'title',
      label: columns.title,
      cell: ({ name, status }) => (
        <>
          <span class="cut strong">{name}</span>
          <span class="cut soft small">{words.statuses[status]}</span>
        </>
      ),
    },
    {
      name: 'open',
      label: columns.open,
      width: '190px',
      shown: 'phone',
      cell: ({ summary }) => <OpenCounts counts={summary.findingsOpen} />,
    },
    figure('overdue', columns.overdue),
    figure('kevOpen', columns.kev),
    figure('assets', columns.assets),
    figure('scannersOffline', columns.offline, { shown: 'wide' }),
    figure('integrationsFailed', columns.failed, { shown: 'wide' }),
    figure('poolMinutes30d', columns.minutes, { shown: 'wide', width: '88px' }),
    {
      name: 'lastImport',
      label: columns.lastImport,
      width: '108px',
      cell: ({ summary: { lastImportAt } }) => (lastImportAt ? agoOf(lastImportAt) : words.never),
    },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: ClientPage, ahead: aheadOf(kind) };
