import { DAY_MS, setClock } from '#shared/platform/runtime/clock.ts';

const start = Date.parse('2026-01-15T08:00:00.250Z');

/** The time of day 0, 1 ...; days before have negative numbers. */
export const dayOf = (n: number): string => new Date(start + n * DAY_MS).toISOString();

export const goToDay = (n: number): void => setClock(() => start + n * DAY_MS);
