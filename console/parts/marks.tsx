import type { Severity } from '../api/types.ts';
import { texts } from '../texts.ts';
import { isOverdue, utcDayOf } from './format.ts';

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const satisfies readonly Severity[];

export const SeverityMark = ({ severity }: { severity: Severity }) => (
  <span class={`severity severity-${severity}`}>
    <i aria-hidden="true" />
    {texts.severities[severity]}
  </span>
);

export const StatusMark = ({ status }: { status: keyof typeof texts.statuses }) => (
  <span class={`status status-${status}`}>{texts.statuses[status]}</span>
);

/** Overdue days are red and say so to readers of screens. */
export const DueMark = ({ dueAt }: { dueAt: string | null }) => {
  if (dueAt === null) return <span class="soft">–</span>;
  const day = utcDayOf(dueAt);
  return isOverdue(dueAt) ? (
    <span class="overdue">
      {day}
      <span class="unseen"> ({texts.home.figures.overdue})</span>
    </span>
  ) : (
    <span>{day}</span>
  );
};

/** A number from 0 to 100 with a bar. */
export const Score = ({ value }: { value: number | null }) =>
  value === null ? (
    <span class="soft">–</span>
  ) : (
    <span class="score">
      <b>{value}</b>
      <progress value={value} max={100} aria-hidden="true" />
    </span>
  );
