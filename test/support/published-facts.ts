import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { refreshFeeds } from '#functions/workers/advisories/index.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';

/** A feed that loses a tenth of its entries is refused: these stay in each. */
const OTHERS = Array.from({ length: 40 }, (_, n) => `CVE-2000-${1000 + n}`);

let day = 0;

/** Publishes EPSS and KEV as they are on a later day, and reads them; organizations learn what moved. Answers that day. */
export async function publishFacts(
  connections: Connections,
  scores: Record<string, number>,
  exploited: readonly string[],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'published-'));
  const date = new Date(Date.UTC(2026, 0, ++day)).toISOString();
  const others = Object.fromEntries(OTHERS.map((cve) => [cve, 0.5]));
  const lines = Object.entries({ ...others, ...scores }).map(([cve, score]) => `${cve},${score},0.9\n`);
  const epss = join(folder, 'epss.csv');
  writeFileSync(epss, `#model_version:v1,score_date:${date}\ncve,epss,percentile\n${lines.join('')}`);
  const listed = [...OTHERS, ...exploited];
  const vulnerabilities = listed.map((cveID) => ({ cveID, dateAdded: '2021-12-10', dueDate: '2021-12-24' }));
  const kev = join(folder, 'kev.json');
  writeFileSync(kev, JSON.stringify({ dateReleased: date, count: listed.length, vulnerabilities }));
  const addresses = { EPSS_FEED_URL: pathToFileURL(epss).href, KEV_FEED_URL: pathToFileURL(kev).href };
  try {
    await refreshFeeds({ ...connections, settings: { ...connections.settings, ...addresses } });
  } finally {
    rmSync(folder, { recursive: true });
  }
  return date;
}
