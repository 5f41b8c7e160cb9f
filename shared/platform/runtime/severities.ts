export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

const isSeverity = (name: string): boolean => SEVERITIES.some((severity) => severity === name);

/** The value with each map of severities in the order of their list: the table gives the fields of a map back in its own order. */
export function worstFirst(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(worstFirst);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, worstFirst(inner)] as const);
  if (!fields.every(([name]) => isSeverity(name))) return Object.fromEntries(fields);
  return Object.fromEntries(SEVERITIES.flatMap((severity) => fields.filter(([name]) => name === severity)));
}
