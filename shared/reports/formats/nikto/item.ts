import type { FindingDraft } from '../../readers/finding.ts';
import { type JsonObject, numberAt, textAt } from '../../readers/json.ts';
import { pageOf } from '../../readers/site.ts';
import { findCves, oneLine } from '../../readers/text.ts';
import type { ReportAsset } from '../../report/report.ts';

/** The site of a host and port. The JSON names no scheme: the usual ports of TLS decide. */
export function siteOf(host: JsonObject): string | undefined {
  const name = textAt(host, 'targethostname') ?? textAt(host, 'host') ?? textAt(host, 'targetip') ?? textAt(host, 'ip');
  const port = textAt(host, 'targetport') ?? wordAt(host, 'port') ?? '80';
  const named = textAt(host, 'sitename');
  if (named && pageOf(named)) return named;
  return name && `${/443$/.test(port) ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}/`;
}

/** Versions differ in which values they quote. */
const wordAt = (object: JsonObject, key: string): string | undefined =>
  textAt(object, key) ?? numberAt(object, key)?.toString();

export const assetOf = (site: string | undefined): ReportAsset | undefined => pageOf(site)?.asset;

/**
 * A message of Nikto about a page; all pages of one message are one finding. Nikto rates nothing and verifies little,
 * so the finding is information until a person looks at it.
 */
export function draftOf(item: JsonObject, site: string | undefined): FindingDraft | undefined {
  const [id, message, url] = [wordAt(item, 'id'), textAt(item, 'msg'), textAt(item, 'url') ?? '/'];
  if (!id || !message || !site || !URL.canParse(url, site)) return undefined;
  const page = pageOf(new URL(url, site).href);
  if (!page) return undefined;
  const references = textAt(item, 'references') ?? '';
  const osvdb = wordAt(item, 'OSVDB');
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
