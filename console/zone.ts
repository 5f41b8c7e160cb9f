import { computed, signal } from '@preact/signals';
import { answerOf, client } from './api/client.ts';
import { atSignOut, question } from './api/question.ts';

const DAY_MS = 86_400_000;

export const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const chosen = signal<string | undefined>(undefined);
atSignOut(() => {
  chosen.value = undefined;
});

/** The zone of the person, in which the console shows and takes times; the zone of the device for callers who are no person. */
export const zone = computed(() => chosen.value ?? deviceZone);

/** The person of the session. */
export const useMe = question(readMe);

export async function readMe() {
  const me = await answerOf(client.GET('/api/v1/users/me'));
  chosen.value = me.timeZone;
  return me;
}

const wallClock = computed(
  () => new Intl.DateTimeFormat('sv', { timeZone: zone.value, dateStyle: 'short', timeStyle: 'medium' }),
);
/** The wall time of the zone, in milliseconds as if it were UTC. */
const wallOf = (moment: number): number => Date.parse(`${wallClock.value.format(moment).replace(' ', 'T')}Z`);
const offsetAt = (moment: number): number => wallOf(moment) - Math.floor(moment / 1_000) * 1_000;

/** `2026-11-29T10:30`: a time in the zone of the person, for the fields of the browser. */
export const localOf = (time: string | null | undefined): string =>
  time ? new Date(wallOf(Date.parse(time))).toISOString().slice(0, 16) : '';

/** `2026-11-29`: a day in the zone of the person. */
export const localDayOf = (time: string | null | undefined): string => localOf(time).slice(0, 10);

/**
 * The moment of a time in the zone of the person, or of the beginning of a day. When clocks are set back, a time is there twice: the
 * first one. When they are set forward, the time that is left out is counted from before (RFC 5545, section 3.3.5).
 */
export function momentOf(local: string): string {
  const wall = Date.parse(`${local.length === 10 ? `${local}T00:00` : local}Z`);
  const [before, after] = [offsetAt(wall - DAY_MS), offsetAt(wall + DAY_MS)];
  const shown = [before, after].find((offset) => offsetAt(wall - offset) === offset);
  return new Date(wall - (shown ?? before)).toISOString();
}
