import { schedule as words } from '../texts/engagement-form.ts';
import { type Field, localOf, type Values } from './field.ts';

type Schedule = { startAt: string | null; recurrence: string | null } | null | undefined;

/** When something runs. A recurrence that the form does not know stays as it is. */
export function scheduleFields(known?: Schedule): Field[] {
  const { startAt, recurrence } = known ?? {};
  const named = Object.entries(words.recurrences).map(([value, label]) => ({ value, label }));
  const options =
    recurrence && !(recurrence in words.recurrences) ? [...named, { value: recurrence, label: recurrence }] : named;
  return [
    {
      name: 'schedule.startAt',
      label: words.startAt,
      hint: words.startAtHint,
      kind: 'moment',
      width: 'half',
      initial: localOf(startAt),
    },
    {
      name: 'schedule.recurrence',
      label: words.recurrence,
      kind: 'choice',
      width: 'half',
      options,
      initial: recurrence ?? '',
    },
  ];
}

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const scheduleIn = ({ maybe, moment }: Values) => ({
  startAt: moment('schedule.startAt') ?? null,
  recurrence: maybe('schedule.recurrence') ?? null,
  timeZone: ownZone(),
});
