/** Collects the values of an option that may be there several times. */
export const each = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** Collects values that commas separate. */
export const separated = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  ...value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
];
