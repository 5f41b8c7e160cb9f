/** The entities whose records the change feed can answer. */
export const WITH_RECORDS = ['finding', 'vulnerability', 'asset', 'exposed-credential', 'alert'] as const;
