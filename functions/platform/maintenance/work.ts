/** The sorts of maintenance, as callers and operators name them. */
export const MAINTENANCE = ['rekey', 'verify', 'respell', 'views', 'restored'] as const;
