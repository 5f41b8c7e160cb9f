/** The sorts of maintenance, as callers and operators name them. */
export const MAINTENANCE = ['rekey', 'verify', 'views', 'restored'] as const;
