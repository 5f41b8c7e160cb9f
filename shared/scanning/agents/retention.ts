export const HOUR = 3_600;
export const DAY = 86_400;

export const RESOLUTIONS = ['minute', 'hour', 'day'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** Time for which samples can be read, by resolution. Rows of the table live a day longer. */
export const KEPT_SECONDS: Record<Resolution, number> = { minute: 2 * DAY, hour: 30 * DAY, day: 400 * DAY };
const SPARE_SECONDS = DAY;

/** The time at which a row may expire. `endSeconds` is the end of its time, in seconds since the epoch. */
export const expiry = (endSeconds: number, resolution: Resolution): string =>
  new Date((endSeconds + KEPT_SECONDS[resolution] + SPARE_SECONDS) * 1000).toISOString();
