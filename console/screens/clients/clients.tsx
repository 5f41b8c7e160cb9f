import { answerOf, asTyped, client } from '../../api/client.ts';
import type { Client } from '../../api/types.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import type { Column, RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { role } from '../../session.ts';
import { count } from '../../texts/amounts.ts';
import { clients as texts } from '../../texts/clients.ts';
import { OpenCounts } from '../assets/open-counts.tsx';
import { ClientDrawer, ClientPage } from './client-detail.tsx';

const { columns, ...words } = texts;
const STATUSES = ['trial', 'active', 'suspended', 'deleting'] as const;

const fields: Field[] = [
  { name: 'name', label: words.name, kind: 'text', required: true },
  { name: 'owner.name', label: words.ownerName, kind: 'text', required: true },
  { name: 'owner.email', label: words.ownerEmail, kind: 'email', required: true },
];

async function add({ text }: Values): Promise<undefined> {
  const body = { name: text('name'), owner: { name: text('owner.name'), email: text('owner.email') } };
  await answerOf(client.POST('/api/v1/organizations', { body }));
}

/** Only platform owners make clients. */
const AddClient = () =>
  role.value === 'platform_owner' ? (
    <p>
      <FormDialog label={words.add} fields={fields} send={add} />
    </p>
  ) : null;

type Figure = 'overdue' | 'kevOpen' | 'assets' | 'scannersOffline' | 'integrationsFailed' | 'poolMinutes30d';

const figure = (name: Figure, label: string, more: Partial<Column<Client>> = {}): Column<Client> => ({
  name,
  label,
  width: '92px',
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
  Lead: AddClient,
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
      width: '210px',
      shown: 'phone',
      cell: ({ summary }) => <OpenCounts counts={summary.findingsOpen} />,
    },
    figure('overdue', columns.overdue),
    figure('kevOpen', columns.kev),
    figure('assets', columns.assets),
    figure('scannersOffline', columns.offline, { shown: 'wide' }),
    figure('integrationsFailed', columns.failed, { shown: 'wide' }),
    figure('poolMinutes30d', columns.minutes, { shown: 'wide' }),
    {
      name: 'lastImport',
      label: columns.lastImport,
      cell: ({ summary: { lastImportAt } }) => (lastImportAt ? agoOf(lastImportAt) : words.never),
    },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: ClientPage, ahead: aheadOf(kind) };
