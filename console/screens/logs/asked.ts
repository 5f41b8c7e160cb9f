import { useSearchParams } from 'wouter-preact';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export const RANGES = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 168 * HOUR_MS,
  '30d': 720 * HOUR_MS,
};
export type RangeName = keyof typeof RANGES;
export const isRange = (name: string): name is RangeName => name in RANGES;

/** Beyond two days the service counts by the hour. */
const BY_MINUTE_MS = 48 * HOUR_MS;

/** The parameters of the operation that the address has as they are. */
const FILTERS = ['search', 'sourceId', 'host', 'user', 'severity', 'alertId', 'ruleId'] as const;
type Filter = (typeof FILTERS)[number];

/** The search of a person, which is the address of the page. */
export function useAsked() {
  const [params, set] = useSearchParams();
  const range = params.get('range') ?? '';
  const change = (values: Readonly<Record<string, string | undefined>>) =>
    set((before) => {
      const next = new URLSearchParams(before);
      for (const [name, value] of Object.entries(values)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      return next;
    });
  const times = { from: params.get('from') ?? undefined, to: params.get('to') ?? undefined };
  const filters = FILTERS.flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value] as const] : [];
  });
  return {
    valueOf: (name: Filter): string => params.get(name) ?? '',
    // an alert has its times
    hasTimes: times.from !== undefined || times.to !== undefined || params.has('alertId'),
    range: isRange(range) ? range : '1h',
    open: params.get('open') ?? undefined,
    about: JSON.stringify({ range: isRange(range) ? range : '1h', times, filters: Object.fromEntries(filters) }),
    isFiltered: filters.length > 0,
    change,
  };
}

export type Asked = ReturnType<typeof useAsked>;

type About = {
  range: RangeName;
  times: { from?: string; to?: string };
  filters: Partial<Record<Filter, string>>;
};

/**
 * The query of a search. A range ends with the next whole minute or hour, as the counts of the service do, so that the bars and
 * the list have the same events.
 */
export function queryOf(about: string, now = Date.now()) {
  const { range, times, filters: given }: About = JSON.parse(about);
  const { search: filter, ...others } = given;
  const filters = { ...others, ...(filter && { filter }) };
  if (times.from || times.to || given.alertId) return { ...filters, ...times };
  const length = RANGES[range];
  const step = length > BY_MINUTE_MS ? HOUR_MS : MINUTE_MS;
  const end = Math.ceil(now / step) * step;
  return { ...filters, from: new Date(end - length).toISOString(), to: new Date(end).toISOString() };
}

/** The page with the events of some minutes around a time. */
export function around(at: string, minutes: number, more: Readonly<Record<string, string>>): string {
  const middle = Math.floor(Date.parse(at) / MINUTE_MS) * MINUTE_MS;
  const from = new Date(middle - minutes * MINUTE_MS).toISOString();
  const to = new Date(middle + (minutes + 1) * MINUTE_MS).toISOString();
  return `/logs?${new URLSearchParams({ ...more, from, to })}`;
}

/** The page with the events of a source in the hours that its volume counts: the current one and 23 before. */
export function lastDayOf(sourceId: string, now = Date.now()): string {
  const end = Math.floor(now / HOUR_MS) * HOUR_MS + HOUR_MS;
  const [from, to] = [end - RANGES['24h'], end].map((at) => new Date(at).toISOString());
  return `/logs?${new URLSearchParams({ sourceId, from: from ?? '', to: to ?? '' })}`;
}

/** The value of a field in the filter language; of a field whose name has blanks the words alone. */
export function comparisonOf(name: string, text: string): string {
  const quoted = `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
  return /^[A-Za-z][\w.-]*$/.test(name) ? `${name}:${quoted}` : quoted;
}
