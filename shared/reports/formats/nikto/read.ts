import { type Entry, firstCharacter, readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { type JsonObject, plainAt, textAt } from '../../readers/json.ts';
import { mergedPlaces } from '../../readers/merged-places.ts';
import { nestedEntries } from '../../readers/nested-entries.ts';
import { pageOf } from '../../readers/site.ts';
import { Targets } from '../../readers/targets.ts';
import { findCves, oneLine } from '../../readers/text.ts';
import { withoutTrailingCommas } from '../../readers/trailing-commas.ts';
import { textIn, type XmlElement } from '../../readers/xml.ts';
import { xmlEntries } from '../../readers/xml-entries.ts';
import type { OpenReport, ReportAsset, ReportEvent } from '../../report/report.ts';

/** Reports of Nikto in XML and JSON, of one host or several. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'Nikto' };
  const targets = new Targets();
  const items = (await firstCharacter(open)) === '<' ? xmlItems(open) : jsonItems(open);
  const drafts = mergedPlaces(draftsOf(items, targets));
  yield* readEntries(drafts, (draft) => draft, 'the item has no id, no message or no host');
  yield* targets.events();
}

/** `item` is missing where a scan only ends; `ends`: the scan of the host marks its end. */
type Item = Entry<{ host: JsonObject; item?: JsonObject; ends?: true }>;

async function* draftsOf(items: AsyncIterable<Item>, targets: Targets): AsyncGenerator<Entry<FindingDraft | null>> {
  const unended = new Map<string, ReportAsset>();
  for await (const { value, where } of items) {
    const site = value && siteOf(value.host);
    const asset = assetOf(site);
    if (asset) targets.reached(asset);
    if (asset && value?.ends && value.item) unended.set(asset.value, asset);
    else if (asset && value?.ends) unended.delete(asset.value);
    const draft = value?.item ? draftOf(value.item, site) : value && null;
    yield { where, ...(draft !== undefined && { value: draft }) };
  }
  for (const asset of unended.values()) targets.failed(asset, 'the scan of the host did not end');
}

/** One root holds others if the file was added to; a scan that ended has statistics. */
const SCANS = ['niktoscan', 'niktoscan/niktoscan', 'niktoscans/niktoscan'].map((root) => `${root}/scandetails`);

async function* xmlItems(open: OpenReport): AsyncGenerator<Item> {
  const paths = SCANS.flatMap((scan) => [`${scan}/item`, `${scan}/statistics`]);
  for await (const { value, parents, where } of xmlEntries(open, paths)) {
    const host = parents.at(-1)?.attributes ?? {};
    if (value) yield { where, value: { host, ends: true, ...(value.name === 'item' && { item: itemOf(value) }) } };
  }
}

/** An item of the XML in the form of the JSON. */
const itemOf = (item: XmlElement): JsonObject => ({
  id: item.attributes.id,
  OSVDB: item.attributes.osvdbid,
  method: item.attributes.method,
  url: textIn(item, 'uri'),
  msg: textIn(item, 'description'),
  references: textIn(item, 'references'),
});

async function* jsonItems(open: OpenReport): AsyncGenerator<Item> {
  const entries = [
    ['vulnerabilities', '[]'],
    ['[]', 'vulnerabilities', '[]'],
  ];
  const isReport = (host: JsonObject) => 'banner' in host && 'host' in host;
  const whole = () => withoutTrailingCommas(open());
  for await (const { value, parents, where } of nestedEntries(whole, { entries, isReport }))
    yield { where, ...(value && { value: { host: parents.at(-1) ?? {}, item: value } }) };
}

/** The site of a host and port. The JSON names no scheme: the usual ports of TLS decide. */
function siteOf(host: JsonObject): string | undefined {
  const name = textAt(host, 'targethostname') ?? textAt(host, 'host') ?? textAt(host, 'targetip') ?? textAt(host, 'ip');
  const port = textAt(host, 'targetport') ?? plainAt(host, 'port') ?? '80';
  const named = textAt(host, 'sitename');
  if (named && pageOf(named)) return named;
  return name && `${/443$/.test(port) ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}/`;
}

const assetOf = (site: string | undefined): ReportAsset | undefined => pageOf(site)?.asset;

/**
 * A message of Nikto about a page; all pages of one message are one finding. Nikto rates nothing and verifies little,
 * so the finding is information until a person looks at it.
 */
function draftOf(item: JsonObject, site: string | undefined): FindingDraft | undefined {
  const [id, message, url] = [plainAt(item, 'id'), textAt(item, 'msg'), textAt(item, 'url') ?? '/'];
  const page = site ? pageOf(URL.parse(url, site)?.href) : undefined;
  if (!id || !message || !page) return undefined;
  const references = textAt(item, 'references') ?? '';
  const osvdb = plainAt(item, 'OSVDB');
  return {
    title: message.trim(),
    severity: 'info',
    ruleId: id,
    cves: findCves(message, references),
    asset: page.asset,
    location: { ...page.location, snippet: textAt(item, 'method') },
    references: `${message} ${references}`.match(/https?:\/\/[^\s,"'<>()]+/g) ?? [],
    tags: osvdb && osvdb !== '0' ? [`OSVDB-${osvdb}`] : [],
    identity: [id, withoutValues(message)],
  };
}

/** Numbers, and the contents of a header, change from scan to scan. */
const withoutValues = (message: string): string =>
  oneLine(message)
    .replace(/(contents?: )[\s\S]*/, '$1')
    .replace(/\d+/g, '#');
