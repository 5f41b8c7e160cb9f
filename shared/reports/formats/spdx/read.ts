import { type Entry, firstCharacter, readEntries } from '../../readers/entries.ts';
import { Inventories } from '../../readers/inventories.ts';
import type { JsonObject } from '../../readers/json.ts';
import { splitLines } from '../../readers/lines.ts';
import { nestedEntries } from '../../readers/nested-entries.ts';
import { type OpenReport, ReportError, type ReportEvent } from '../../report/report.ts';
import { draftsOf, softwareOf } from './package.ts';

/**
 * SPDX's packages of version 2 (JSON and tag-value) and version 3. It is an inventory: only the advisories that it
 * names for a package are findings, and a missing advisory proves nothing gone.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'SPDX' };
  const packages: AsyncIterable<Entry> =
    (await firstCharacter(open)) === '{' ? packagesInJson(open) : taggedPackages(open);
  const inventories = new Inventories();
  const read = (element: JsonObject) => {
    const software = softwareOf(element);
    if (software) inventories.add({ asset: null, software: [software] });
    return draftsOf(element);
  };
  yield* readEntries(packages, read, 'the package has no name');
  yield* inventories.events();
  yield { kind: 'incomplete', code: 'no_scan' };
}

/** GitHub's interface answers with the document as `sbom`. */
const listsOf = (...names: string[]): string[][] =>
  names.flatMap((name) => [
    [name, '[]'],
    ['sbom', name, '[]'],
  ]);

const packagesInJson = (open: OpenReport): AsyncIterable<Entry> =>
  nestedEntries(open, {
    entries: listsOf('packages', '@graph'),
    ignored: listsOf('files', 'relationships', 'snippets', 'annotations', 'hasExtractedLicensingInfos'),
    isReport: ({ spdxVersion }) => spdxVersion !== undefined,
  });

type Tagged = { value: JsonObject; where: string; references: JsonObject[] };

/** The packages of a tag-value document, in the members of the JSON. */
async function* taggedPackages(open: OpenReport): AsyncGenerator<Entry> {
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
/** Comments, and texts that another tool broke into lines. */
const MAX_OTHER_LINES = 10_000;

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
  let others = 0;
  for await (const { text, number } of splitLines(open())) {
    const [, tag, value = ''] = isText ? [] : (/^\s{0,20}(\w{1,50}):\s{0,20}(.*)$/.exec(text) ?? []);
    if (!tag && !isText && ++others > MAX_OTHER_LINES)
      throw new ReportError(
        'invalid_report',
        `Line ${number} is no tag of SPDX, as ${MAX_OTHER_LINES} lines before it.`,
      );
    if (tag) yield { tag, value: value.replace(/^<text>|<\/text>\s{0,9}$/g, ''), number };
    if (text.includes('</text>')) isText = false;
    else if (text.includes('<text>')) isText = true;
  }
}
