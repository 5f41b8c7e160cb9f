import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { refreshFeeds } from '#functions/workers/advisories/index.ts';
import { localCredentials, localRegion } from '#local/credentials.ts';
import { type Connections, makeConnections } from '#shared/runtime/connections.ts';
import { finished, type System, send, startSystem, uploaded } from './ingest/client.ts';
import { type BenchRow, type BenchTable, type Budget, benchRow, benchTable } from './report.ts';
import { perRecord, settled } from './settled.ts';

/** `more` findings are imported on top, of which six of ten make a vulnerability. */
type Sizes = { assets: number; more: number; scores: number };

/** Vulnerabilities of an asset, of which one tool finds all and another eight. */
const EACH = 12;
const TWICE = 8;
/** Assets that share each advisory. */
const SHARED = 10;
/** One advisory of so many moves in a day. */
const MOVED = 50;

/**
 * Findings of two tools with their vulnerabilities on many assets, then the lists, the groups and a day of EPSS scores. The
 * seconds are those until the vulnerabilities have followed; units are per finding, of lists in all.
 */
export async function benchVulnerabilities({ assets, more, scores }: Sizes): Promise<BenchTable> {
  const system = await startSystem();
  const folder = mkdtempSync(join(tmpdir(), 'bench-epss-'));
  try {
    const connections = connectionsOf(system, join(folder, 'epss.csv'));
    await publish(connections, { folder, scores, day: 0 });
    const all = assets * (EACH + TWICE);
    const rows = [await imported(system, { operation: 'import', first: 0, assets, budget: FILL }, all)];
    const host = Math.round(more / (EACH + TWICE));
    const again = { operation: 'import of more', first: assets, assets: host, budget: CREATE };
    rows.push(await imported(system, again, host * (EACH + TWICE)));
    rows.push(...(await listRows(system, (assets + host) * EACH)));
    rows.push(await epssRow(system, connections, { folder, scores, vulnerabilities: (assets + host) * EACH }));
    return benchTable('Vulnerabilities: units per finding, seconds until they have followed', rows);
  } finally {
    await system.stop();
    rmSync(folder, { recursive: true });
  }
}

const CREATE: Budget = { readUnits: 6, writeUnits: 20, megabytes: 512 };
/** The first import makes every group and product. */
const FILL: Budget = CREATE;

function connectionsOf({ settings }: System, file: string): Connections {
  const { accessKeyId, secretAccessKey } = localCredentials;
  const credentials = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  Object.assign(process.env, { AWS_REGION: localRegion, ...credentials });
  return makeConnections({ ...settings, EPSS_FEED_URL: pathToFileURL(file).href });
}

const cveOf = (n: number): string => `CVE-${2015 + (n % 10)}-${10_000 + Math.floor(n / 10)}`;

/** A report of one tool on some assets; neighbours share most advisories. */
function reportOf(tool: string, { first, assets, each }: { first: number; assets: number; each: number }): Buffer {
  const findings = Array.from({ length: assets * each }, (_, n) => {
    const [host, place] = [first + Math.floor(n / each), n % each];
    const advisory = Math.floor(host / SHARED) * EACH + place;
    const [cve, name] = [cveOf(advisory), `package-${advisory % 900}`];
    return {
      ...{
        title: `${cve} in ${name}`,
        severity: ['critical', 'high', 'medium', 'low'][n % 4],
        ruleId: cve,
        cves: [cve],
      },
      component: { name, version: '1.0.0', fixedVersions: ['2.0.0'] },
      asset: { type: 'host', value: `host-${host}.example.test` },
    };
  });
  return gzipSync(JSON.stringify({ tool, findings }), { level: 1 });
}

type Import = { operation: string; first: number; assets: number; budget: Budget };

async function imported(
  system: System,
  { operation, first, assets, budget }: Import,
  count: number,
): Promise<BenchRow> {
  await system.measure();
  const started = performance.now();
  for (const [tool, each] of [
    ['bench-audit', EACH],
    ['bench-second', TWICE],
  ] as const) {
    const uploadId = await uploaded(system, reportOf(tool, { first, assets, each }));
    const { taskId } = await send(system, 'POST', '/api/v1/findings/import', { format: 'generic', uploadId });
    await finished(system, String(taskId));
  }
  const { seconds, ...used } = await settled(system, started);
  await assertCount(system, (first + assets) * EACH);
  return benchRow({ operation, size: String(count), roundTrips: 0, ...perRecord(used, count), seconds, budget });
}

async function assertCount(system: System, total: number): Promise<void> {
  const counted = await send(system, 'GET', '/api/v1/dashboards/overview/system/vulnerabilities');
  if (counted.total !== total) throw new Error(`${counted.total} vulnerabilities instead of ${total}`);
}

const path = '/api/v1/vulnerabilities';

const PAGE: Budget = { roundTrips: 3, readUnits: 6 };
const FILTERED: Budget = { roundTrips: 3, readUnits: 16 };

async function listRows(system: System, total: number): Promise<BenchRow[]> {
  const asked: [operation: string, path: string, budget: Budget][] = [
    ['first page', `${path}?paginateSize=25`, PAGE],
    ['deepest page', `${path}?paginateSize=25&paginateFrom=${total - 25}`, PAGE],
    ['by priority', `${path}?paginateSize=25&sort=priority`, FILTERED],
    [
      'search with filters',
      `${path}/search?search=package-7&severity=high,critical&status=open&paginateSize=25`,
      FILTERED,
    ],
    ['by fix', `${path}/by-fix?sort=closes&paginateSize=25`, FILTERED],
    ['dashboard', '/api/v1/dashboards/overview/system/vulnerabilities', { roundTrips: 2, readUnits: 4 }],
    ['mean times', '/api/v1/dashboards/meantime/vulnerabilities', { roundTrips: 2, readUnits: 16 }],
  ];
  const rows: BenchRow[] = [];
  for (const [operation, wanted, budget] of asked) {
    await send(system, 'GET', wanted);
    await system.measure();
    const started = performance.now();
    await send(system, 'GET', wanted);
    const seconds = (performance.now() - started) / 1000;
    const { roundTrips, readUnits, writeUnits } = await system.measure();
    rows.push(benchRow({ operation, size: String(total), roundTrips, readUnits, writeUnits, seconds, budget }));
  }
  return rows;
}

type Published = { folder: string; scores: number; day: number };

/** A day's file, as FIRST publishes it. */
async function publish(connections: Connections, { folder, scores, day }: Published): Promise<void> {
  const lines = Array.from({ length: scores }, (_, n) => {
    const part = (n * 7919 + (n % MOVED === 0 ? 5_000 * day : 0)) % 100_000;
    return `${cveOf(n)},${part / 100_000},${(n % 100_000) / 100_000}\n`;
  });
  const head = `#model_version:bench,score_date:2026-01-0${1 + day}\ncve,epss,percentile\n`;
  writeFileSync(join(folder, 'epss.csv'), head + lines.join(''));
  await refreshFeeds(connections);
}

/** A day's scores; the writes are those of findings and vulnerabilities that moved. */
async function epssRow(
  system: System,
  connections: Connections,
  { vulnerabilities, ...of }: Omit<Published, 'day'> & { vulnerabilities: number },
): Promise<BenchRow> {
  await system.measure();
  const started = performance.now();
  await publish(
    { ...connections, settings: { ...connections.settings, EPSS_FEED_URL: `${connections.settings.EPSS_FEED_URL}?1` } },
    { ...of, day: 1 },
  );
  const { seconds, ...used } = await settled(system, started);
  const moved = Math.ceil(vulnerabilities / MOVED);
  const packed = Math.round(process.resourceUsage().maxRSS / 1024);
  const units = { ...perRecord(used, moved), megabytes: Math.max(packed, used.megabytes) };
  const budget = { seconds: 300, megabytes: 512 };
  return benchRow({
    operation: 'EPSS of a day',
    size: `${moved} moved`,
    roundTrips: 0,
    ...units,
    seconds,
    budget,
  });
}
