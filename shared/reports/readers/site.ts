import type { ReportAsset, ReportLocation } from '../report/report.ts';

/** A page and the site that it belongs to: the scheme, host and port of its URL. */
type Page = { asset: ReportAsset; location: ReportLocation };

/** The page of a web URL, or undefined for another text. `protocol` is the transport. */
export function pageOf(url: string | undefined): Page | undefined {
  if (!url || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { origin, hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const number = Number(port || (protocol === 'https:' ? 443 : 80));
  return { asset: { type: 'url', value: origin }, location: { host, port: number, protocol: 'tcp', url } };
}
