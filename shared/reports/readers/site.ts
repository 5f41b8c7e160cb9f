import { hostnameOf } from '#shared/platform/runtime/addresses.ts';
import type { ReportAsset, ReportLocation } from '../report/report.ts';

/** A page and the site that it belongs to: the scheme, host and port of its URL. */
type Page = { asset: ReportAsset; location: ReportLocation };

/** The page of a web URL, or undefined for another text. `protocol` is the transport. */
export function pageOf(url: string | undefined): Page | undefined {
  const page = url && /^https?:\/\//i.test(url) ? URL.parse(url) : undefined;
  if (!url || !page) return undefined;
  const port = Number(page.port || (page.protocol === 'https:' ? 443 : 80));
  return {
    asset: { type: 'url', value: page.origin },
    location: { host: hostnameOf(page), port, protocol: 'tcp', url },
  };
}
