import { newContextBudget, spend } from '../../readers/context-budget.ts';
import { type CsvRow, csvEntries } from '../../readers/csv-entries.ts';
import { type Entry, firstCharacter, readEntries } from '../../readers/entries.ts';
import { Targets } from '../../readers/targets.ts';
import { readXml, textIn, type XmlElement } from '../../readers/xml.ts';
import { type XmlEntry, xmlEntries } from '../../readers/xml-entries.ts';
import { rowOf } from '../../readers/xml-row.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { CSV_COLUMNS } from './columns.ts';
import { draftOf, hostOf, namesOf } from './detection.ts';
import { readWeb, WEB_ROOTS } from './web.ts';

/** Reports of Qualys in XML (a scan, an asset report, host detections of the API, web applications) and CSV. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'Qualys' };
  if (WEB_ROOTS.includes((await rootOf(open)) ?? '')) return yield* readWeb(open);
  const targets = new Targets();
  if ((await firstCharacter(open)) === '<') {
    const facts = await factsOf(open);
    yield* readEntries(detectionsOf(open, facts, targets), draftOf, UNUSABLE);
    if (facts.problem) yield { kind: 'incomplete', code: facts.problem };
  } else yield* readEntries(rowsOf(open, targets), draftOf, UNUSABLE);
  yield* targets.events();
}

/** The name of the root element; undefined of a CSV. */
async function rootOf(open: OpenReport): Promise<string | undefined> {
  if ((await firstCharacter(open)) !== '<') return undefined;
  for await (const { path } of readXml(open(), () => false)) return path;
  return undefined;
}

const UNUSABLE = 'the detection has no address of a host';

async function* rowsOf(open: OpenReport, targets: Targets): AsyncGenerator<Entry<CsvRow>> {
  for await (const entry of csvEntries(open, { columns: CSV_COLUMNS })) {
    const host = entry.value && hostOf(entry.value);
    if (entry.value && host && isScanned(entry.value)) targets.reached(host, namesOf(entry.value));
    yield entry;
  }
}

const isScanned = (row: CsvRow): boolean => !/not (?:scanned|alive)/i.test(row['IP Status'] ?? '');

/** The details of each QID by its number, which an asset report lists after its hosts, and why a scan is not whole. */
type Facts = { details: Map<string, CsvRow>; problem?: Problem };

const DETAILS = 'ASSET_DATA_REPORT/GLOSSARY/VULN_DETAILS_LIST/VULN_DETAILS';
const STATUS = 'SCAN/HEADER/KEY';
const WARNING = 'HOST_LIST_VM_DETECTION_OUTPUT/RESPONSE/WARNING';
const FACTS = new Set([DETAILS, STATUS, WARNING, 'SCAN/ERROR']);

async function factsOf(open: OpenReport): Promise<Facts> {
  const facts: Facts = { details: new Map() };
  const budget = newContextBudget();
  for await (const { kind, path, element } of readXml(open(), (at) => FACTS.has(at))) {
    if (kind !== 'element') continue;
    if (path === DETAILS) {
      const row = rowOf(element);
      spend(budget, 2 * JSON.stringify(row).length);
      facts.details.set(textIn(element, 'QID') ?? '', row);
    } else facts.problem ??= problemIn(element);
  }
  return facts;
}

type Problem = 'tool_error' | 'more_pages' | 'not_finished';

function problemIn({ name, attributes, text }: XmlElement): Problem | undefined {
  if (name === 'ERROR') return 'tool_error';
  // the API cut its answer
  if (name === 'WARNING') return 'more_pages';
  const isEnd = attributes.value !== 'STATUS' || /^(?:finished|no vulnerabilities|no host alive)/i.test(text.trim());
  return isEnd ? undefined : 'not_finished';
}

const SCAN = 'SCAN/IP';
const ASSETS = 'ASSET_DATA_REPORT/HOST_LIST/HOST';
const DETECTED = 'HOST_LIST_VM_DETECTION_OUTPUT/RESPONSE/HOST_LIST/HOST';
const HOST_FIELDS = [ASSETS, DETECTED].flatMap((host) =>
  ['IP', 'IPV6', 'DNS', 'NETBIOS'].map((name) => `${host}/${name}`),
);
const DETECTIONS = [
  `${ASSETS}/VULN_INFO_LIST/VULN_INFO`,
  `${DETECTED}/DETECTION_LIST/DETECTION`,
  `${SCAN}/OS`,
  ...['VULNS/CAT/VULN', 'PRACTICES/CAT/PRACTICE', 'INFOS/CAT/INFO', 'SERVICES/CAT/SERVICE'].map(
    (kind) => `${SCAN}/${kind}`,
  ),
];

async function* detectionsOf(open: OpenReport, { details }: Facts, targets: Targets): AsyncGenerator<Entry<CsvRow>> {
  let host: CsvRow = {};
  for await (const entry of xmlEntries(open, [...HOST_FIELDS, ...DETECTIONS])) {
    const { value, where, path } = entry;
    if (!value) continue;
    if (path.startsWith(SCAN)) host = scannedHost(entry);
    else if (value.name === 'IP') host = {};
    if (HOST_FIELDS.includes(path)) host = { ...host, [value.name === 'IPV6' ? 'IP' : value.name]: value.text.trim() };
    const asset = hostOf(host);
    if (asset) targets.reached(asset, namesOf(host));
    if (HOST_FIELDS.includes(path) || value.name === 'OS') continue;
    const row = { ...rowOf(value), ...categoryOf(entry) };
    yield { value: { ...details.get(row.QID ?? ''), ...row, ...host }, where };
  }
}

function scannedHost({ parents }: XmlEntry): CsvRow {
  const { value = '', name = '' } = parents.find((parent) => parent.name === 'IP')?.attributes ?? {};
  return { IP: value, ...(name && { DNS: name }) };
}

/** The parts of a scan that are not vulnerabilities, and the port of a category of its detections. */
function categoryOf({ path, parents }: XmlEntry): CsvRow {
  const { port, protocol, value } = parents.find(({ name }) => name === 'CAT')?.attributes ?? {};
  const type = path.includes('/VULNS/') ? 'Vuln' : path.includes('/PRACTICES/') ? 'Practice' : 'Ig';
  return {
    ...(path.startsWith(SCAN) && { TYPE: type }),
    ...(value && { category: value }),
    ...(port && { port }),
    ...(protocol && { protocol }),
  };
}
