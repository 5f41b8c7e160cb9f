import type { Entry } from '../../readers/entries.ts';
import type { JsonObject } from '../../readers/json.ts';
import { splitLines } from '../../readers/lines.ts';
import { type OpenReport, ReportError } from '../../report/report.ts';

type Tagged = { value: JsonObject; where: string; references: JsonObject[] };

/** The packages of a tag-value document, in the members of the JSON. */
export async function* taggedPackages(open: OpenReport): AsyncGenerator<Entry> {
  let isSpdx = false;
  let current: Tagged | undefined;
  for await (const { tag, value, number } of tags(open)) {
    isSpdx ||= tag === 'SPDXVersion';
    if (STARTS.has(tag)) {
      if (current) yield current;
      const references: JsonObject[] = [];
      current =
        tag === 'PackageName'
          ? { value: { name: value, externalRefs: references }, where: `line ${number}`, references }
          : undefined;
    }
    if (current) addTag(current, tag, value);
  }
  if (!isSpdx) throw new ReportError('unsupported_format', 'The report has no SPDXVersion: name the format it has.');
  if (current) yield current;
}

/** Each of these begins an element of its own. */
const STARTS = new Set(['PackageName', 'FileName', 'SnippetSPDXID', 'LicenseID', 'Relationship']);
const MAX_REFERENCES = 10_000;

function addTag({ value, references }: Tagged, tag: string, text: string): void {
  if (tag === 'PackageVersion') value.versionInfo = text;
  if (tag === 'ExternalRefComment') Object.assign(references.at(-1) ?? {}, { comment: text });
  const [, referenceType, ...locator] = tag === 'ExternalRef' ? text.split(/\s+/) : [];
  if (referenceType && references.length < MAX_REFERENCES)
    references.push({ referenceType, referenceLocator: locator.join(' ') });
}

/** Texts of several lines are in `<text>`. */
async function* tags(open: OpenReport) {
  let isText = false;
  for await (const { text, number } of splitLines(open())) {
    const [, tag, value = ''] = isText ? [] : (/^\s{0,20}(\w{1,50}):\s{0,20}(.*)$/.exec(text) ?? []);
    if (tag) yield { tag, value: value.replace(/^<text>|<\/text>\s{0,9}$/g, ''), number };
    if (text.includes('</text>')) isText = false;
    else if (text.includes('<text>')) isText = true;
  }
}
