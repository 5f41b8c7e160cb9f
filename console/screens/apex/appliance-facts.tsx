import type { Appliance } from '../../api/types.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, timeOf } from '../../parts/format.ts';
import type { Column } from '../../records/kind.ts';
import { statusColumn } from '../../records/usual-columns.tsx';
import { count } from '../../texts/amounts.ts';
import { appliance } from '../../texts/apex.ts';
import { nameOf } from '../../texts/names.ts';

const { columns, ...words } = appliance;

const sessionOf = ({ session }: Appliance): string =>
  session ? words.since(words.sessions[session.state], agoOf(session.updatedAt)) : words.noSession;

/** The columns of appliances, of an organization and of the provider. */
export const applianceColumns: readonly Column<Appliance>[] = [
  { name: 'title', label: columns.title, cell: ({ name }) => <span class="cut strong">{name}</span> },
  statusColumn(columns.status, '132px'),
  {
    name: 'session',
    label: columns.session,
    width: '180px',
    cell: (row) => <span class="cut">{sessionOf(row)}</span>,
  },
  {
    name: 'seen',
    label: columns.seen,
    width: '124px',
    shown: 'named',
    cell: ({ lastSeenAt }) => (lastSeenAt ? agoOf(lastSeenAt) : words.never),
  },
  { name: 'zone', label: columns.zone, width: '124px', cell: ({ zone }) => <span class="cut">{zone ?? '–'}</span> },
  { name: 'running', label: columns.running, width: '84px', cell: ({ runningTasks = 0 }) => count(runningTasks) },
];

/** The session, work and place of an appliance. */
export const ApplianceFacts = ({ record }: { record: Appliance }) => (
  <Facts
    rows={[
      [words.session, sessionOf(record)],
      [columns.seen, record.lastSeenAt ? timeOf(record.lastSeenAt) : words.never],
      [columns.running, record.runningTasks !== undefined && count(record.runningTasks)],
      [words.capacity, record.capacity !== null && count(record.capacity)],
      [words.does, record.taskTypes.map(nameOf).join(', ')],
      [columns.zone, record.zone],
      [words.host, record.hostname],
      [words.version, record.softwareVersion],
      [words.maintenance, record.maintenanceUntil && timeOf(record.maintenanceUntil)],
      [words.notes, record.notes],
    ]}
  />
);
