import { type Asset, assets, CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { exposedServices, products } from '#shared/assets/inventory/product.ts';
import type { Framework } from '#shared/exposure/compliance/framework.ts';
import { frameworks } from '#shared/exposure/compliance/frameworks.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { AssetType } from '#shared/reports/report/asset-type.ts';
import { OS_FAMILIES, Severity } from '#shared/reports/report/report.ts';
import {
  type StoredVulnerability,
  VULNERABILITY_STATUSES,
  vulnerabilities,
} from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { inTwoYears, pick, place, stamps } from './dashboards-model.ts';
import { chance } from './store-model.ts';

const TYPES = ['host', 'host', 'repository', 'cloud_account', 'url'] as const;

/** Writes vulnerabilities, a tenth as many assets with tool results, and the products and services of these assets. */
export async function fillExposure(table: Table, size: number): Promise<void> {
  const random = chance(19);
  const many = <T>(n: number, make: (n: number, random: () => number) => T): T[] =>
    Array.from({ length: n }, (_, i) => make(i, random));
  await place(table, vulnerabilities, many(size, aVulnerability));
  await place(table, assets, many(size / 10, anAsset));
  await place(table, products, many(500, aProduct));
  await place(table, exposedServices, many(200, aService));
}

const benchmarksOf = (...tools: string[]) =>
  frameworks().filter(({ benchmark }) => benchmark && tools.includes(benchmark.tool));

/**
 * The benchmarks that tools check on each type of asset: cluster benchmarks on hosts, account benchmarks on accounts,
 * both in code.
 */
const MADE_ON: Partial<Record<AssetType, Framework[]>> = {
  host: benchmarksOf('kube-bench'),
  cloud_account: benchmarksOf('Prowler'),
  repository: [...benchmarksOf('Prowler'), ...benchmarksOf('kube-bench').filter(({ version }) => version === '1.10')],
};

/** Each asset passes all checks of one benchmark, so that the counters of checks have all names that they can have. */
const passedLooks = (n: number, type: AssetType, taskId: string) => {
  const benchmarks = MADE_ON[type] ?? [];
  const { benchmark, controls = [] } = benchmarks[Math.floor(n / TYPES.length) % benchmarks.length] ?? {};
  if (!benchmark) return [];
  const passed = { benchmark: benchmark.id, checks: controls.flatMap(({ checks = [] }) => checks) };
  return [{ tool: benchmark.tool, day: new Date(nowMs()).toISOString().slice(0, 10), taskId, passed }];
};

function anAsset(n: number, random: () => number): Asset {
  const [first, later] = inTwoYears(random);
  const type = TYPES[n % TYPES.length] ?? 'host';
  const name = `${type}-${n}.example.com`;
  const stamped = stamps(n);
  return {
    ...stamped,
    type,
    value: name,
    name,
    zone: null,
    criticality: pick(CRITICALITIES, random),
    tags: ['shop'],
    internetExposed: random() < 0.2,
    firstSeenAt: first,
    lastSeenAt: later(700 * random()),
    os: { family: pick(OS_FAMILIES, random), name: `system ${n % 40}`, version: String(n % 5) },
    looks: passedLooks(n, type, stamped.id),
  };
}

function aVulnerability(n: number, random: () => number): StoredVulnerability {
  const [first, later] = inTwoYears(random);
  const [status, severity] = [pick(VULNERABILITY_STATUSES, random), pick(Severity.options, random)];
  const advisoryId = `CVE-2026-${10_000 + (n % 5_000)}`;
  return {
    ...stamps(n),
    key: newId(),
    advisoryId,
    aliases: [],
    title: 'A request smuggles another',
    severity,
    cvss: {},
    priority: n % 100,
    ssvc: 'track',
    component: { name: `package-${n % 900}`, fixedVersions: [] },
    asset: { id: newId(), type: 'host', name: `host-${n % 500}.example.com`, zone: null },
    status,
    findingsCount: 1,
    tools: ['trivy'],
    tags: [],
    firstSeenAt: first,
    said: [],
    ...(n % 7 === 0 && { epss: { probability: random(), percentile: random(), date: first } }),
    ...(n % 50 === 0 && { kev: { addedAt: first, dueAt: first, ransomware: false } }),
    ...(status === 'fixed' && { fixedAt: later(60 * random() ** 6) }),
    ...(random() < 0.6 && { acknowledgedAt: later(20 * random() ** 6) }),
  };
}

function aProduct(n: number, random: () => number) {
  const findings = { critical: n % 3, high: n % 7, medium: n, low: n, info: n };
  const named = { key: newId(), vendor: 'example', product: `server ${n}`, release: '1.2', cpe: null };
  return { ...stamps(n), ...named, assets: Math.floor(random() * 1_000), findings, onAssets: [], labels: [] };
}

function aService(n: number, random: () => number) {
  const assetsOf = Math.floor(random() * 1_000);
  const named = { key: newId(), service: 'http', port: 1_000 + n, protocol: 'tcp' };
  return { ...stamps(n), ...named, assets: assetsOf, exposedAssets: n % 2 === 0 ? assetsOf : 0 };
}
