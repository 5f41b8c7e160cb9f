import { type CsvRow, cellOf } from '../../readers/csv-entries.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import type { ServiceDraft } from '../../readers/inventories.ts';
import { indexAt, numberAt } from '../../readers/json.ts';
import { pageOf } from '../../readers/site.ts';
import { findCves, findCwes, oneLine, paragraphs } from '../../readers/text.ts';
import type { ReportAsset, ReportLocation, Severity } from '../../report/report.ts';
import { COLUMNS, CVSS_COLUMNS } from './columns.ts';

const fieldOf = (row: CsvRow, field: keyof typeof COLUMNS): string | undefined => cellOf(row, ...COLUMNS[field]);

/** The host or site of a row. */
export function assetOf(row: CsvRow): ReportAsset | undefined {
  const host = fieldOf(row, 'host')?.split(/[,\s]/, 1)[0];
  return pageOf(host)?.asset ?? (host ? { type: 'host', value: host } : undefined);
}

/** The service on the port of a row. */
export function serviceOf(row: CsvRow): ServiceDraft | undefined {
  const port = indexAt(row, portColumn(row));
  const name = fieldOf(row, 'service')?.replace(/\?$/, '');
  if (!port || port > 65_535) return undefined;
  return {
    port,
    protocol: fieldOf(row, 'protocol') ?? 'tcp',
    service: name && name !== 'unknown' ? name : undefined,
  };
}

export const namesOf = (row: CsvRow): (string | undefined)[] => [fieldOf(row, 'dnsName')];

export const macsOf = (row: CsvRow): string[] => fieldOf(row, 'mac')?.split(/[\s,]+/) ?? [];

const ruleOf = (row: CsvRow): string | undefined => fieldOf(row, 'plugin') ?? fieldOf(row, 'name');

/** Rows of one problem: Nessus writes a row for each CVE of a plugin, and for each output of it on a port. */
export function problemKey(row: CsvRow): string {
  const { value } = assetOf(row) ?? { value: '' };
  return JSON.stringify([value, ruleOf(row), placeOf(row), checkOf(row)]);
}

/** One finding from a plugin's results on a port of a host, in one or several rows. */
export function draftOf(rows: readonly CsvRow[]): FindingDraft | [] | undefined {
  const [row = {}] = rows;
  const [plugin, asset] = [ruleOf(row), assetOf(row)];
  if (!plugin || !asset) return undefined;
  const toolSeverity = resultOf(row) ?? fieldOf(row, 'severity') ?? '';
  if (IS_NO_FINDING.test(toolSeverity) || fieldOf(row, 'state')?.toLowerCase() === 'fixed') return [];
  const check = checkOf(row);
  const name = fieldOf(row, 'name') ?? `Plugin ${plugin}`;
  return {
    title: check ? `${name}: ${check}` : name,
    description: descriptionOf(row),
    severity: severityOf(toolSeverity),
    toolSeverity,
    ruleId: plugin,
    ...identifiersOf(rows),
    asset,
    location: locationOf(row, asset),
    evidence: evidenceOf(rows),
    references: textsOf(rows, 'seeAlso').filter((text) => /^https?:/i.test(text)),
    remediation: /^n\/a$/i.test(fieldOf(row, 'solution') ?? '') ? undefined : fieldOf(row, 'solution'),
    tags: tagsOf(rows),
    identity: [plugin, placeOf(row), ...(check ? [check] : [])],
  };
}

/** The description of a compliance check mostly repeats its parts. */
function descriptionOf(row: CsvRow): string {
  const description = fieldOf(row, 'description') ?? '';
  const parts = (['information', 'expected'] as const).map((field) => fieldOf(row, field));
  const more = parts.filter((text) => text && !description.includes(text));
  return paragraphs(fieldOf(row, 'synopsis'), description, ...more);
}

/** Compliance checks that hold, could not be made or do not concern the host. */
const IS_NO_FINDING = /^(?:passed|error|skipped)$/i;

/** The compliance check of a row that ended with an error: an earlier finding of it may hold. */
export const failedCheckOf = (row: CsvRow): string | undefined =>
  resultOf(row)?.toUpperCase() === 'ERROR' ? (checkOf(row) ?? ruleOf(row)) : undefined;

/** Nessus numbers 0 to 4; a compliance check that fails is 3 in a .nessus file. */
function severityOf(word: string): Severity {
  const byNumber = (['info', 'low', 'medium', 'high', 'critical'] as const)[Number(word)];
  return (word && byNumber) || (severityOfWord(word) ?? OWN_WORDS.get(word.toLowerCase()) ?? 'info');
}

const OWN_WORDS = new Map<string, Severity>([
  ['failed', 'high'],
  ['warning', 'medium'],
  ['moderate', 'medium'],
]);

/** A compliance check has its name and result in the first line of its description, where it has no fields for them. */
const CHECK = /^"?([^\n]{1,400}?)"? ?: \[(PASSED|FAILED|WARNING|ERROR|SKIPPED)\]/;

function checkOf(row: CsvRow): string | undefined {
  const name = fieldOf(row, 'check') ?? CHECK.exec(fieldOf(row, 'description') ?? '')?.[1];
  return name && oneLine(name);
}

const resultOf = (row: CsvRow): string | undefined =>
  fieldOf(row, 'result') ?? CHECK.exec(fieldOf(row, 'description') ?? '')?.[2];

const placeOf = (row: CsvRow): string =>
  fieldOf(row, 'url') ?? `${indexAt(row, portColumn(row)) ?? 0}/${fieldOf(row, 'protocol')?.toLowerCase() ?? 'tcp'}`;

const portColumn = (row: CsvRow): string => (row.port ? 'port' : 'Port');

function locationOf(row: CsvRow, asset: ReportAsset): ReportLocation {
  const page = pageOf(fieldOf(row, 'url') ?? fieldOf(row, 'host'));
  if (page) return page.location;
  const port = indexAt(row, portColumn(row));
  // Port 0 is the host as a whole.
  return { host: asset.value, ...(port ? { port, protocol: fieldOf(row, 'protocol')?.toLowerCase() } : {}) };
}

function identifiersOf(rows: readonly CsvRow[]): Partial<FindingDraft> {
  const [row = {}] = rows;
  const newest = CVSS_COLUMNS.find(({ score, vector }) => cellOf(row, ...score, ...vector)) ?? CVSS_COLUMNS[0];
  const score = newest.score.map((column) => numberAt(row, column)).find((number) => number !== undefined);
  const cwes = textsOf(rows, 'cwe').map((text) => (/^\d+$/.test(text) ? `CWE-${text}` : text));
  return {
    cves: findCves(...textsOf(rows, 'cve')),
    cwes: findCwes(...cwes, ...textsOf(rows, 'xref')),
    cvssVector: cellOf(row, ...newest.vector),
    cvssScore: score || undefined,
  };
}

function evidenceOf(rows: readonly CsvRow[]): FindingDraft['evidence'] {
  const outputs = rows.flatMap((row) => [fieldOf(row, 'output'), fieldOf(row, 'actual')]);
  const known = new Set(outputs.flatMap((text) => (text ? [text.replace(/<\/?plugin_output>/g, '').trim()] : [])));
  return [...known].map((content) => ({ kind: 'text', content }));
}

function tagsOf(rows: readonly CsvRow[]): string[] {
  const [row = {}] = rows;
  const exploit = /^(?:true|yes)$/i.test(fieldOf(row, 'exploit') ?? '') ? ['exploit available'] : [];
  const service = fieldOf(row, 'service');
  const services = service && service !== 'general' ? [`service:${service}`] : [];
  const family = fieldOf(row, 'family');
  return [
    ...exploit,
    ...(family ? [family] : []),
    ...services,
    ...textsOf(rows, 'cpe'),
    ...textsOf(rows, 'xref'),
    ...textsOf(rows, 'benchmarks'),
  ];
}

/** The values of a field that may have several, in all rows. */
const textsOf = (rows: readonly CsvRow[], field: keyof typeof COLUMNS): string[] =>
  rows.flatMap((row) => fieldOf(row, field)?.split(/[\n,]+/) ?? []).map((text) => text.trim());
