import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { asAdministrator, finished, type System, send, startSystem, uploaded } from './ingest/client.ts';
import { type BenchRow, type BenchTable, type Budget, benchRow, benchTable } from './report.ts';
import { perRecord, settled } from './settled.ts';

type Sizes = { assets: number; rules: number };

const APPLICATIONS = '/api/v1/software/applications';

/**
 * An application whose rules link many assets with one finding each: the cost of its rules, of its reads, and of the
 * change of one asset. Rule units are per asset; all other units are totals.
 */
export async function benchApplications(sizes: Sizes): Promise<BenchTable> {
  const system = await startSystem();
  try {
    tell(`filling ${sizes.assets} assets`);
    await fill(system, sizes);
    const admin = await asAdministrator(system);
    const { id } = await send(admin, 'POST', APPLICATIONS, { name: 'Bench', criticality: 'high' });
    const path = `${APPLICATIONS}/${id}`;
    tell(`${sizes.rules} rules`);
    const rows = [await ruleRow(admin, path, sizes)];
    await quiet(system);
    tell('reads');
    for (const read of readsOf(path, sizes)) rows.push(await readRow(admin, read, sizes));
    tell('changes of one asset');
    rows.push(...(await changeRows(admin, await secondApplication(admin), sizes)));
    return benchTable('Applications: an application whose rules link many assets', rows);
  } finally {
    await system.stop();
  }
}

/**
 * The followers look at each asset again and write nothing. Without this wait a measurement of reads would include
 * their reads.
 */
async function quiet(system: System): Promise<void> {
  for (let used = IDLE_READS; used >= IDLE_READS; ) {
    await system.measure();
    await sleep(QUIET_MS);
    ({ readUnits: used } = await system.measure());
    tell(`${used} read units in ${QUIET_MS / 1000} s`);
  }
}

const QUIET_MS = 20_000;
const IDLE_READS = 15;

/** Somebody who waits sees that it goes on. */
const tell = (what: string): void => console.error(`${new Date().toISOString()} ${what}`);

const hostOf = (n: number, rules: number): string => `app-${n % rules}-${n}.example.test`;

/** Assets that come with an import, each with a finding. */
async function fill(system: System, { assets, rules }: Sizes): Promise<void> {
  const findings = Array.from({ length: assets }, (_, n) => ({
    title: 'Old software',
    severity: ['critical', 'high', 'medium', 'low'][n % 4],
    ruleId: `rule-${n % 50}`,
    asset: { type: 'host', value: hostOf(n, rules) },
  }));
  const uploadId = await uploaded(system, gzipSync(JSON.stringify({ tool: 'bench', findings }), { level: 1 }));
  const { taskId } = await send(system, 'POST', '/api/v1/findings/import', { format: 'generic', uploadId });
  await finished(system, String(taskId));
  await settled(system, performance.now());
}

/** Makes the rules, each for its part of the assets; the seconds end when the last asset and its findings have followed. */
async function ruleRow(system: System, path: string, { assets, rules }: Sizes): Promise<BenchRow> {
  await system.measure();
  const started = performance.now();
  for (let n = 0; n < rules; n++) {
    const condition = { field: 'hostname', operator: 'matches', value: `app-${n}-*` };
    await send(system, 'POST', `${path}/asset-rules`, { name: `rule ${n}`, condition });
  }
  // the followers of the import and of the rules take turns, with pauses between them
  for (let done = 0; done < assets; done = await findingsOf(system, path)) {
    tell(`${done} of ${assets} findings have their application`);
    await sleep(POLL_MS);
  }
  const { seconds, ...used } = await settled(system, started);
  const budget = { writeUnits: 40 };
  return benchRow({
    operation: `${rules} rules`,
    size: String(assets),
    roundTrips: 0,
    ...perRecord(used, assets),
    seconds,
    budget,
  });
}

const POLL_MS = 2_000;

async function findingsOf(system: System, path: string): Promise<number> {
  const { openFindings } = await send(system, 'GET', `${path}/risk-summary`);
  return Object.values(openFindings as Record<string, number>).reduce((sum, count) => sum + count, 0);
}

type Read = { operation: string; method: 'GET' | 'POST'; path: string; body?: object; budget: Budget };

const readsOf = (path: string, { assets }: Sizes): Read[] => {
  const preview = (operation: string, condition: object): Read => ({
    operation,
    method: 'POST',
    path: `${path}/asset-rules/preview`,
    body: { name: 'bench', condition },
    budget: { seconds: 2 },
  });
  const page = (operation: string, of: string): Read => ({
    operation,
    method: 'GET',
    path: `${path}/${of}`,
    budget: { roundTrips: 4, readUnits: 16 },
  });
  const host = { field: 'hostname', operator: 'matches', value: '*.example.test' };
  return [
    page('first page of assets', 'assets?paginateSize=25'),
    page('deepest page of assets', `assets?paginateSize=25&paginateFrom=${assets - 25}`),
    page('first page of findings', 'findings?paginateSize=25'),
    page(
      'deepest page of findings',
      `findings?paginateSize=25&paginateFrom=${assets - 25}&severity=high,low,medium,critical`,
    ),
    { ...page('risk summary', 'risk-summary'), budget: { roundTrips: 4, readUnits: 16, seconds: 2 } },
    preview('preview by the index', { field: 'type', operator: 'equals', value: 'host' }),
    preview('preview of names', host),
    preview('preview that reads assets', {
      all: [host, { not: { field: 'ip', operator: 'cidr', value: '10.0.0.0/8' } }],
    }),
  ];
};

async function readRow(system: System, read: Read, { assets }: Sizes): Promise<BenchRow> {
  const { operation, method, path, body, budget } = read;
  await send(system, method, path, body);
  await system.measure();
  const started = performance.now();
  await send(system, method, path, body);
  const seconds = (performance.now() - started) / 1000;
  const { roundTrips, readUnits, writeUnits } = await system.measure();
  return benchRow({ operation, size: String(assets), roundTrips, readUnits, writeUnits, seconds, budget });
}

/** With a rule that no asset meets yet. */
async function secondApplication(system: System): Promise<string> {
  const { id } = await send(system, 'POST', APPLICATIONS, { name: 'Second' });
  const condition = { field: 'tag', operator: 'equals', value: 'second' };
  await send(system, 'POST', `${APPLICATIONS}/${id}/asset-rules`, { name: 'by tag', condition });
  await settled(system, performance.now());
  return String(id);
}

/**
 * The change, its entry in the feed, the asset, its links and its finding cost the same with any number of assets and
 * rules.
 */
const CHANGE: Budget = { readUnits: 200, writeUnits: 150 };

/** Followers of changes begin within a minute. */
const FOLLOWED_MS = 75_000;

/**
 * The cost of a change to one asset until all followers are done, beside the cost of an idle system, whose schedules go
 * on.
 */
async function changeRows(system: System, second: string, { rules }: Sizes): Promise<BenchRow[]> {
  const value = hostOf(3, rules);
  const found = await send(system, 'GET', `/api/v1/assets/search?search=${value}`);
  const [asset] = found.data as { id: string; value: string }[];
  if (asset?.value !== value) throw new Error(`no asset ${value}`);
  const patch = (body: object) => () => send(system, 'PATCH', `/api/v1/assets/${asset.id}`, body);
  const asked: [operation: string, body: object][] = [
    ['change that no rule asks for', { internetExposed: true }],
    ['change that rules look at', { tags: ['bench'] }],
    ['change by which a rule links', { tags: ['bench', 'second'] }],
  ];
  const rows = [await changeRow(system, 'nothing, for as long', async () => undefined)];
  for (const [operation, body] of asked) rows.push(await changeRow(system, operation, patch(body)));
  const { totalCount } = await send(system, 'GET', `/api/v1/assets?applicationId=${second}&paginateSize=1`);
  if (totalCount !== 1) throw new Error(`${totalCount} assets of the second application instead of one`);
  return rows;
}

async function changeRow(system: System, operation: string, change: () => Promise<unknown>): Promise<BenchRow> {
  await system.measure();
  await change();
  await sleep(FOLLOWED_MS);
  const { readUnits, writeUnits } = await system.measure();
  return benchRow({ operation, size: '1', roundTrips: 0, readUnits, writeUnits, budget: CHANGE });
}
