import { schedule as words } from '../texts/engagement-form.ts';
import { localOf, zone } from '../zone.ts';
import { choicesOf, type Field, type Option, type Values } from './field.ts';

type Schedule = { startAt: string | null; recurrence: string | null; timeZone: string } | null | undefined;

/** A recurrence in words; one that a program made stays as it is (RFC 5545). */
export const recurrenceOf = (recurrence: string | null | undefined): string =>
  words.recurrences[recurrence ?? ''] ?? recurrence ?? '';

/** The choices of a recurrence, also the present one that the form does not know. */
export const recurrencesWith = (present?: string | null): Option[] => [
  ...choicesOf(words.recurrences),
  ...(present && !(present in words.recurrences) ? [{ value: present, label: present }] : []),
];

/** When something runs. */
export function scheduleFields(known?: Schedule): Field[] {
  const { startAt, recurrence } = known ?? {};
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
      options: recurrencesWith(recurrence),
      initial: recurrence ?? '',
    },
  ];
}

/** A schedule that repeats stays in the zone in which somebody planned it. */
export const scheduleIn = ({ maybe, moment }: Values, known?: Schedule) => ({
  startAt: moment('schedule.startAt') ?? null,
  recurrence: maybe('schedule.recurrence') ?? null,
  timeZone: known?.recurrence ? known.timeZone : zone.value,
});
