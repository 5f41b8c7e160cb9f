import type { ComponentProps } from 'preact';
import { SeverityMark, StatusMark } from '../parts/marks.tsx';
import type { Column } from './kind.ts';

/** The columns that most lists have, with their labels and widths. */
export const severityColumn = (label: string): Column<ComponentProps<typeof SeverityMark>> => ({
  name: 'severity',
  label,
  width: '92px',
  shown: 'phone',
  cell: ({ severity }) => <SeverityMark severity={severity} />,
});

export const statusColumn = (label: string, width = '124px'): Column<ComponentProps<typeof StatusMark>> => ({
  name: 'status',
  label,
  width,
  shown: 'phone',
  cell: ({ status }) => <StatusMark status={status} />,
});

type Assigned = { assignee?: { name: string } | null };

export const assigneeColumn = (label: string, width = '124px'): Column<Assigned> => ({
  name: 'assignee',
  label,
  width,
  cell: ({ assignee }) => <span class="cut">{assignee?.name ?? '–'}</span>,
});
