import { newContextBudget, spend } from '../../readers/context-budget.ts';
import type { CsvRow } from '../../readers/csv-entries.ts';
import { type Entry, readEntries } from '../../readers/entries.ts';
import { readXml, textIn, type XmlElement } from '../../readers/xml.ts';
import { xmlEntries } from '../../readers/xml-entries.ts';
import { rowOf } from '../../readers/xml-row.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { draftOf, type WebEntry } from './web-entry.ts';

/** The report of a web application's scan, and the report of a web application over its scans. */
export const WEB_ROOTS = ['WAS_SCAN_REPORT', 'WAS_WEBAPP_REPORT'];

const RESULTS = ['WAS_SCAN_REPORT/RESULTS', 'WAS_WEBAPP_REPORT/RESULTS/WEB_APPLICATION'];
const LISTS = ['VULNERABILITY', 'SENSITIVE_CONTENT', 'INFORMATION_GATHERED'];
const ENTRIES = RESULTS.flatMap((results) => LISTS.map((name) => `${results}/${name}_LIST/${name}`));
const APPLICATION = 'WAS_WEBAPP_REPORT/RESULTS/WEB_APPLICATION/URL';
const GLOSSARY = WEB_ROOTS.map((root) => `${root}/GLOSSARY/QID_LIST/QID`);
const PAGES = RESULTS.map((results) => `${results}/VULNERABILITY_LIST/VULNERABILITY/URL`);

/**
 * Qualys' findings on web applications. Such a report may be filtered by severity, state or group and does not say by which,
 * so it proves nothing gone.
 */
export async function* readWeb(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield* readEntries(webEntries(open), draftOf, 'the detection has no QID, or its address is not one of a web page');
}

async function* webEntries(open: OpenReport): AsyncGenerator<Entry<WebEntry>> {
  const { details, firstPage } = await factsOf(open);
  let application = firstPage;
  for await (const { value, where, path } of xmlEntries(open, [APPLICATION, ...ENTRIES])) {
    if (value && path === APPLICATION) application = value.text.trim();
    else if (value) {
      const about = details.get(textIn(value, 'QID') ?? '') ?? Object.create(null);
      yield { value: { element: value, about, application }, where };
    }
  }
}

/**
 * The details of each number, which come after the detections, and a page of the site that a scan's report does not
 * name.
 */
async function factsOf(open: OpenReport) {
  const details = new Map<string, CsvRow>();
  const budget = newContextBudget();
  let firstPage: string | undefined;
  const add = (element: XmlElement) => {
    const row = rowOf(element);
    spend(budget, 2 * JSON.stringify(row).length);
    details.set(row.QID ?? '', row);
  };
  const wanted = new Set([...GLOSSARY, ...PAGES]);
  for await (const { kind, path, element } of readXml(open(), (at) => wanted.has(at))) {
    if (kind !== 'element') continue;
    if (PAGES.includes(path)) firstPage ??= element.text.trim();
    else add(element);
  }
  return { details, firstPage };
}
