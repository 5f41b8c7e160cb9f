import { type CsvRow, csvEntries } from '../../readers/csv-entries.ts';
import { type Entry, firstCharacter, readEntries } from '../../readers/entries.ts';
import { Targets } from '../../readers/targets.ts';
import { childOf, childrenOf, textIn, type XmlElement } from '../../readers/xml.ts';
import { xmlEntries } from '../../readers/xml-entries.ts';
import { type OpenReport, ReportError, type ReportEvent } from '../../report/report.ts';
import { CSV_COLUMNS } from './columns.ts';
import { draftOf, hostOf } from './result.ts';

/** Reports of OpenVAS and Greenbone: XML, with the hosts that were scanned, and CSV Results. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'OpenVAS' };
  const scan: Scan = { targets: new Targets() };
  const rows = (await firstCharacter(open)) === '<' ? resultsOf(open, scan) : rowsOf(open, scan);
  yield* readEntries(rows, draftOf, 'the result has no host or no NVT OID');
  if (scan.status && !/^done$/i.test(scan.status))
    yield { kind: 'incomplete', code: 'not_finished', first: `the status is ${scan.status}` };
  yield* scan.targets.events();
}

type Scan = { targets: Targets; status?: string };

async function* rowsOf(open: OpenReport, { targets }: Scan): AsyncGenerator<Entry<CsvRow>> {
  for await (const entry of csvEntries(open, { columns: CSV_COLUMNS })) {
    const host = entry.value && hostOf(entry.value);
    if (host) targets.reached(host, [entry.value?.Hostname]);
    yield entry;
  }
}

/** A report comes as it is, within its wrapper, or within the answer of the API. */
const ROOTS = ['report', 'report/report', 'get_reports_response/report/report', 'get_reports_response/report'];
const PARTS = ['scan_run_status', 'results/result', 'host', 'errors/error'];
const PATHS = ROOTS.flatMap((root) => PARTS.map((part) => `${root}/${part}`));

async function* resultsOf(open: OpenReport, scan: Scan): AsyncGenerator<Entry<CsvRow>> {
  let isReport = false;
  for await (const { value, where } of xmlEntries(open, PATHS)) {
    isReport = true;
    if (value?.name === 'result') yield { value: rowOfResult(value), where };
    else if (value?.name === 'scan_run_status') scan.status = value.text.trim();
    else if (value) addHost(scan.targets, value);
  }
  if (!isReport)
    throw new ReportError('unsupported_format', 'The XML is no report of OpenVAS: name the format it has.');
}

/** A host's scan without an end was stopped; a test that failed on a host may have missed findings there. */
function addHost(targets: Targets, element: XmlElement): void {
  const isError = element.name === 'error';
  const address = isError ? textIn(element, 'host') : textIn(element, 'ip');
  if (!address) return;
  const host = { type: 'host', value: address } as const;
  if (isError) targets.failed(host, `a test failed: ${textIn(element, 'description') ?? 'no reason given'}`);
  else if (textIn(element, 'end')) targets.reached(host, namesOf(element));
  else targets.failed(host, 'the scan of the host did not end');
}

const namesOf = (host: XmlElement): (string | undefined)[] =>
  childrenOf(host, 'detail')
    .filter((detail) => textIn(detail, 'name') === 'hostname')
    .map((detail) => textIn(detail, 'value'));

/** A result of the XML as a row of the CSV. */
function rowOfResult(result: XmlElement): CsvRow {
  const nvt = childOf(result, 'nvt');
  const host = childOf(result, 'host');
  const tags = tagsOf(textIn(nvt, 'tags') ?? '');
  const port = /(\d{1,5})\/(\w+)/.exec(textIn(result, 'port') ?? '');
  const refs = childrenOf(childOf(nvt, 'refs'), 'ref').map(({ attributes }) => attributes);
  const ids = (...types: string[]) => refs.flatMap(({ type = '', id }) => (types.includes(type) && id ? [id] : []));
  return filled({
    IP: host?.text,
    Hostname: textIn(host, 'hostname'),
    Port: port?.[1],
    'Port Protocol': port?.[2],
    CVSS: textIn(result, 'severity') ?? textIn(nvt, 'cvss_base'),
    Vector: textIn(childOf(childOf(nvt, 'severities'), 'severity'), 'value') ?? tags.get('cvss_base_vector'),
    Severity: textIn(result, 'threat'),
    QoD: textIn(childOf(result, 'qod'), 'value'),
    'NVT Name': textIn(nvt, 'name') ?? textIn(result, 'name'),
    'NVT OID': nvt?.attributes.oid,
    'Specific Result': textIn(result, 'description'),
    // Versions before 2019 have elements in place of references.
    CVEs: [...ids('cve'), textIn(nvt, 'cve') ?? ''].join('\n'),
    CERTs: ids('cert-bund', 'dfn-cert').join('\n'),
    'Other References': [...ids('url'), textIn(nvt, 'xref') ?? ''].join('\n'),
    Summary: tags.get('summary'),
    'Vulnerability Insight': tags.get('insight'),
    Impact: tags.get('impact'),
    'Affected Software/OS': tags.get('affected'),
    Solution: textIn(nvt, 'solution') ?? tags.get('solution'),
    'Solution Type': childOf(nvt, 'solution')?.attributes.type ?? tags.get('solution_type'),
  });
}

/** `summary=...|insight=...`: the texts may contain a bar, so only a known name begins a new text. */
function tagsOf(text: string): Map<string, string> {
  const parts = text.split(
    /\|(?=(?:cvss_base_vector|summary|insight|impact|affected|solution|solution_type|vuldetect)=)/,
  );
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]));
}

function filled(cells: Record<string, string | undefined>): CsvRow {
  const row: CsvRow = Object.create(null);
  for (const [name, cell] of Object.entries(cells)) if (cell?.trim()) row[name] = cell.trim();
  return row;
}
