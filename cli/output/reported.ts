import type { components } from '../../dist/openapi.d.ts';

type Schemas = components['schemas'];
export type Severity = Schemas['FindingListItem']['severity'];

type Item = Schemas['FindingListItem'];
type OfGate = Schemas['GateResult']['findings'][number];
type Shared = Pick<Item & OfGate, 'id' | 'title' | 'severity' | 'ruleId' | 'location' | 'firstSeenAt'>;

/** A finding of a gate's verdict or of a list, as the files for other programs show it. */
export type Reported = Shared &
  Partial<Pick<Item, 'asset' | 'tool' | 'cves' | 'cwes' | 'status'> & Pick<OfGate, 'isNew'>>;

/** The verdict of a gate: the files of a list have none. */
export type Verdict = Pick<Schemas['GateResult'], 'passed' | 'reasons' | 'baseRef'>;

/** The page of a finding in the console. */
export const pageOf = (baseUrl: string, id: string): string => new URL(`/findings/${id}`, baseUrl).href;

/** How severe a finding is in other programs. */
export const LEVELS = { critical: 'error', high: 'error', medium: 'warning', low: 'note', info: 'note' } as const;

const FILE = /^(?<path>.+?)(?::(?<line>[1-9]\d*))?$/;
/** A URL, `10.0.0.7:443/tcp`, `10.0.0.7` or `[::1]:443`. */
const NO_FILE = /^[a-z][a-z\d+.-]*:\/\/|:\d+\/[a-z]+$|^\d+\.\d+\.\d+\.\d+(?::\d+)?$|^\[/i;

/** The file in a location such as `src/app.ts:12`; undefined for a host, a URL or no place at all. */
export function fileOf({
  location,
  asset,
}: Pick<Reported, 'location' | 'asset'>): { path: string; line: number | undefined } | undefined {
  if (NO_FILE.test(location) || asset?.type === 'host' || asset?.type === 'url') return undefined;
  const { path, line } = FILE.exec(location)?.groups ?? {};
  return path === undefined ? undefined : { path, line: line === undefined ? undefined : Number(line) };
}

/** The place of a finding for people. */
export const placeOf = ({ location, asset }: Pick<Reported, 'location' | 'asset'>): string =>
  location || asset?.name || '';
