/** RFC 3339 in UTC of a time as hosts write it: with any offset, or in seconds since the epoch. */
export function timeOf(value: unknown): string | undefined {
  const time = typeof value === 'number' ? value * 1000 : Date.parse(String(value));
  return Number.isFinite(time) ? new Date(time).toISOString() : undefined;
}
