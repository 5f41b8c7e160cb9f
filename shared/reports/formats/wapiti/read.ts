import { type Entry, firstCharacter, readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { fieldAt, isObject, type JsonObject, numberAt, plainAt, textAt } from '../../readers/json.ts';
import { type JsonPath, parseValue, splitJson } from '../../readers/json-stream.ts';
import { mergedPlaces } from '../../readers/merged-places.ts';
import { nestedEntries } from '../../readers/nested-entries.ts';
import { pageOf } from '../../readers/site.ts';
import { Targets } from '../../readers/targets.ts';
import { findCves, findCwes, paragraphs } from '../../readers/text.ts';
import { xmlEntries } from '../../readers/xml-entries.ts';
import { rowOf } from '../../readers/xml-row.ts';
import { type OpenReport, ReportError, type ReportEvent, type Severity } from '../../report/report.ts';

/** Reports of Wapiti: vulnerabilities, anomalies and additional information by category, in JSON or XML. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'Wapiti' };
  const scan: Scan = { targets: new Targets() };
  const drafts = (await firstCharacter(open)) === '<' ? xmlDrafts(open, scan) : jsonDrafts(open, scan);
  yield* readEntries(mergedPlaces(drafts), (draft) => draft, 'the entry has no category or no web page');
  yield* scan.targets.events();
}

type Scan = { targets: Targets; target?: string };

function setTarget(scan: Scan, target: string | undefined): void {
  const page = pageOf(target);
  if (!page) return;
  scan.target = target;
  scan.targets.reached(page.asset);
}

const drafted = (entry: JsonObject, category: Category, { target }: Scan): Pick<Entry<FindingDraft>, 'value'> => {
  const value = draftOf(entry, category, target);
  return value ? { value } : {};
};

const KINDS = ['vulnerabilities', 'anomalies', 'additionals'];

async function* jsonDrafts(open: OpenReport, scan: Scan): AsyncGenerator<Entry<FindingDraft>> {
  setTarget(scan, await targetOf(open));
  const entries = KINDS.map((kind) => [kind, '*', '[]']);
  const isReport = (root: object) => 'infos' in root && 'vulnerabilities' in root;
  const ignored = [[...PAGES, '*']];
  for await (const { value, path, parents, where } of nestedEntries(open, { entries, ignored, isReport })) {
    const category = categoryOf(String(path[1]), fieldAt(parents[0], 'classifications', String(path[1])));
    yield { where, ...(value && drafted(value, category, scan)) };
  }
}

/** A detailed report holds every page that was crawled. */
const PAGES = ['infos', 'crawled_pages'];

/** The target is at the end, after the findings. */
async function targetOf(open: OpenReport): Promise<string | undefined> {
  const isOnWay = (path: JsonPath) => path[0] !== 'infos' || path.length === 1 || path[1] === PAGES[1];
  let target: unknown;
  for await (const value of splitJson(open(), (path) => path.length < 4 && isOnWay(path)))
    if (value.path.join('.') === 'infos.target') target = parseValue(value);
  return typeof target === 'string' ? target : undefined;
}

function categoryOf(name: string, classification: unknown): Category {
  const references = fieldAt(classification, 'ref');
  const listed = isObject(references) ? Object.entries(references) : [];
  return {
    name,
    description: textAt(classification, 'desc'),
    solution: textAt(classification, 'sol'),
    references: listed.map(([title, url]) => [title, plainAt(url) ?? ''].join(' ')),
  };
}

const CATEGORIES = ['vulnerabilities/vulnerability', 'anomalies/anomaly', 'additionals/additional'];
const PARTS = ['description', 'solution', 'references/reference', 'entries/entry'];
const PATHS = [
  'report/report_infos/info',
  ...CATEGORIES.flatMap((one) => PARTS.map((part) => `report/${one}/${part}`)),
];

/** The description of a category comes before its entries. */
async function* xmlDrafts(open: OpenReport, scan: Scan): AsyncGenerator<Entry<FindingDraft>> {
  let category: Category = { name: '', references: [] };
  let isReport = false;
  for await (const { value, parents, path, where } of xmlEntries(open, PATHS)) {
    isReport = true;
    if (!value) continue;
    const text = value.text.trim();
    const name = parents.find((parent) => 'name' in parent.attributes)?.attributes.name ?? '';
    if (path.startsWith('report/report_infos')) {
      if (value.attributes.name === 'target') setTarget(scan, text);
      continue;
    }
    if (name !== category.name) category = { name, references: [] };
    if (value.name === 'entry') yield { where, ...drafted(rowOf(value), category, scan) };
    else if (value.name === 'reference') category.references.push(Object.values(rowOf(value)).join(' '));
    else category[value.name === 'solution' ? 'solution' : 'description'] = text;
  }
  if (!isReport) throw new ReportError('unsupported_format', 'The XML is no report of Wapiti: name the format it has.');
}

/** The texts that hold for all entries of a category. */
type Category = { name: string; description?: string; solution?: string; references: string[] };

/** Wapiti's levels from 0, information, to 4, critical. */
const SEVERITIES: Severity[] = ['info', 'low', 'medium', 'high', 'critical'];

/** An entry of a category: another page or parameter is mended elsewhere, so it is a finding of its own. */
function draftOf(entry: JsonObject, category: Category, target: string | undefined): FindingDraft | undefined {
  const path = textAt(entry, 'path') ?? '/';
  const page = pageOf(URL.parse(path, target)?.href);
  if (!page || !category.name) return undefined;
  const [info, parameter] = [textAt(entry, 'info')?.trim(), textAt(entry, 'parameter')?.trim()];
  const level = numberAt(entry, 'level');
  return {
    title: info?.startsWith(category.name) ? info : [category.name, info].filter((text) => text).join(': '),
    description: paragraphs(info, category.description),
    severity: SEVERITIES[level ?? 0] ?? 'info',
    toolSeverity: level === undefined ? undefined : String(level),
    ruleId: category.name,
    cves: findCves(info),
    cwes: findCwes(...category.references),
    asset: page.asset,
    location: { ...page.location, snippet: [textAt(entry, 'method'), parameter].filter((text) => text).join(' ') },
    evidence: [
      { kind: 'http', content: textAt(entry, 'http_request')?.trim() ?? '' },
      { kind: 'command', content: textAt(entry, 'curl_command')?.trim() ?? '' },
    ],
    references: category.references.flatMap((text) => /https?:\/\/\S+/.exec(text)?.[0] ?? []),
    remediation: category.solution,
    tags: [textAt(entry, 'module') ?? ''],
    identity: [category.name, page.location.url?.split('?')[0] ?? '', parameter ?? '', info ?? ''],
  };
}
