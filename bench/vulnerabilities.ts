import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { cveOf, epssRow, MOVED, publish } from './epss-day.ts';
import { finished, type System, send, startSystem, uploaded } from './ingest/client.ts';
import { type BenchRow, type BenchTable, type Budget, benchRow, benchTable } from './report.ts';
import { perRecord, settled } from './settled.ts';

/** `more` findings are imported in addition; six of ten make a vulnerability. */
type Sizes = { assets: number; more: number; scores: number };

/** Vulnerabilities of an asset: one tool finds all of them and another finds eight. */
const EACH = 12;
const TWICE = 8;
/** Assets that share each advisory. */
const SHARED = 10;
/**
 * Findings of two tools with their vulnerabilities on many assets, then the lists, the groups and a day of EPSS scores. The
 * seconds are those until the vulnerabilities have followed; units are per finding, of lists in all.
 */
export async function benchVulnerabilities({ assets, more, scores }: Sizes): Promise<BenchTable> {
  const system = await startSystem();
  const folder = mkdtempSync(join(tmpdir(), 'bench-epss-'));
  const rows: BenchRow[] = [];
  const add = (...some: BenchRow[]) => {
    for (const { operation, size, seconds = 0 } of some)
      console.error(`${operation}, ${size}: ${Math.round(seconds * 1000) / 1000} s`);
    rows.push(...some);
  };
  try {
    await publish(system, { folder, scores, day: 0 });
    const host = Math.round(more / (EACH + TWICE));
    const [all, added] = [
      { first: 0, assets },
      { first: assets, assets: host },
    ];
    add(await imported(system, { operation: 'import', ...all, budget: CREATE }));
    add(await imported(system, { operation: 'import of more', ...added, budget: CREATE }));
    add(await imported(system, { operation: 'the same again', ...added, budget: UNCHANGED }));
    add(...(await listRows(system, (assets + host) * EACH)));
    add(await epssRow(system, { folder, scores, ...movedOf(assets + host) }));
    return benchTable('Vulnerabilities: units per finding, seconds until they have followed', rows);
  } finally {
    await system.stop();
    rmSync(folder, { recursive: true });
  }
}

const CREATE: Budget = { readUnits: 6, writeUnits: 20, megabytes: 512 };
const UNCHANGED: Budget = { readUnits: 0.6, writeUnits: 0.03, megabytes: 512 };

/** The place of an advisory among all that are scored. */
const advisoryOf = (host: number, place: number): number => Math.floor(host / SHARED) * EACH + place;

/** The vulnerabilities and findings of this many assets whose scores move in a day. */
function movedOf(assets: number) {
  const places = Array.from({ length: assets * EACH }, (_, n) => ({ host: Math.floor(n / EACH), place: n % EACH }));
  const moved = places.filter(({ host, place }) => advisoryOf(host, place) % MOVED === 0);
  const twice = moved.filter(({ place }) => place < TWICE);
  return { vulnerabilities: moved.length, findings: moved.length + twice.length };
}

/** A report of one tool on some assets; neighbours share most advisories. */
function reportOf(tool: string, { first, assets, each }: { first: number; assets: number; each: number }): Buffer {
  const findings = Array.from({ length: assets * each }, (_, n) => {
    const [host, place] = [first + Math.floor(n / each), n % each];
    const advisory = advisoryOf(host, place);
    const [cve, name] = [cveOf(advisory), `package-${advisory % 900}`];
    return {
      title: `${cve} in ${name}`,
      severity: ['critical', 'high', 'medium', 'low'][n % 4],
      ruleId: cve,
      cves: [cve],
      component: { name, version: '1.0.0', fixedVersions: ['2.0.0'] },
      asset: { type: 'host', value: `host-${host}.example.test` },
    };
  });
  return gzipSync(JSON.stringify({ tool, findings }), { level: 1 });
}

type Import = { operation: string; first: number; assets: number; budget: Budget };

async function imported(system: System, { operation, first, assets, budget }: Import): Promise<BenchRow> {
  const count = assets * (EACH + TWICE);
  await system.measure();
  const started = performance.now();
  for (const [tool, each] of [
    ['bench-audit', EACH],
    ['bench-second', TWICE],
  ] as const) {
    const uploadId = await uploaded(system, reportOf(tool, { first, assets, each }));
    const { taskId } = await send(system, 'POST', '/api/v1/findings/import', { format: 'generic', uploadId });
    await finished(system, String(taskId));
    console.error(
      `${operation}: the report of ${tool} is in after ${Math.round((performance.now() - started) / 1000)} s`,
    );
  }
  await followed(system, (first + assets) * EACH);
  const { seconds, ...used } = await settled(system, started);
  return benchRow({ operation, size: String(count), roundTrips: 0, ...perRecord(used, count), seconds, budget });
}

const MAX_WAITS = 900;

/** Waits until the vulnerabilities of all findings are there. */
async function followed(system: System, total: number): Promise<void> {
  for (let waits = 0; ; waits++) {
    const counted = await send(system, 'GET', '/api/v1/dashboards/overview/system/vulnerabilities');
    if (counted.total === total) return;
    if (waits === MAX_WAITS) throw new Error(`${counted.total} vulnerabilities instead of ${total}`);
    await sleep(2_000);
  }
}

const path = '/api/v1/vulnerabilities';

const PAGE: Budget = { roundTrips: 3, readUnits: 6 };
const FILTERED: Budget = { roundTrips: 3, readUnits: 16 };
const DASHBOARD: Budget = { roundTrips: 2, readUnits: 4 };

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
    ['by advisory', `${path}/by-advisory?sort=priority&paginateSize=25`, FILTERED],
    ['by fix', `${path}/by-fix?sort=closes&paginateSize=25`, FILTERED],
    ['dashboard', '/api/v1/dashboards/overview/system/vulnerabilities', DASHBOARD],
    ['dashboard of assets', '/api/v1/dashboards/overview/system/assets', DASHBOARD],
    ['infrastructure', '/api/v1/dashboards/overview/infrastructure', { roundTrips: 2, readUnits: 16 }],
    ['top findings', '/api/v1/dashboards/overview/top_findings', { roundTrips: 2, readUnits: 6 }],
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
