import { type CsvRow, csvEntries } from '../../readers/csv-entries.ts';
import { type Entry, firstCharacter, readEntries } from '../../readers/entries.ts';
import { Targets } from '../../readers/targets.ts';
import { childrenOf, textIn, type XmlElement } from '../../readers/xml.ts';
import { xmlEntries } from '../../readers/xml-entries.ts';
import { type OpenReport, ReportError, type ReportEvent } from '../../report/report.ts';
import { CSV_COLUMNS } from './columns.ts';
import { draftOf, hostOf } from './result.ts';
import { rowOfResult } from './xml-result.ts';

/** Reports of OpenVAS and Greenbone: XML, with the hosts that were scanned, and CSV Results. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'OpenVAS' };
  const scan: Scan = { targets: new Targets() };
  const rows = (await firstCharacter(open)) === '<' ? resultsOf(open, scan) : rowsOf(open, scan);
  yield* readEntries(rows, draftOf, 'the result has no host or no NVT OID');
  if (scan.status && !/^done$/i.test(scan.status))
    yield { kind: 'incomplete', reason: `the status of the scan is ${scan.status.slice(0, 50)}` };
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
