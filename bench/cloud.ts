import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { areas } from '#functions/contract.ts';
import { startDynamoDb } from '#local/dynamodb.ts';
import { setEnvironment } from '#local/environment.ts';
import { startGateway } from '#local/gateway.ts';
import { forgetConnections } from '#shared/platform/runtime/connections.ts';
import { type Front, startFront } from './cloud/front.ts';
import { FRESH_UNITS } from './cloud/manners.ts';
import { finished, type System, send, startImport, startSystem } from './ingest/client.ts';
import { benchReport } from './ingest/report.ts';
import type { PlainTable } from './report.ts';

/** With fewer partitions the busy keys of an import often share one. */
const WARM_UNITS = 40_000;
/** Seconds for 100,000 new findings. */
const BUDGET = { warm: 120, fresh: 260 };
const IMPORTS = 10;
const PATCH_MS = 300;

type World = { system: System; front: Front };
type Row = PlainTable['rows'][number];

/**
 * Measures imports behind a front that behaves as DynamoDB does. `seconds` are seconds of the simulated cloud: time in
 * which a request only waits for the local engine does not count, and is shown as `engine s`. In `cloud s` of these
 * seconds at least one request was on its way; in the other seconds the measured process worked alone, longer on a busy
 * machine. `hottest key` is the partition key with the most units, in units per finding: a partition key takes 1,000
 * units a second.
 */
export async function benchCloud(findings: number): Promise<PlainTable> {
  const rows = [
    await inCloud(WARM_UNITS, (world) => oneImport(world, { operation: 'warm table', findings, budget: BUDGET.warm })),
    await inCloud(FRESH_UNITS, (world) =>
      oneImport(world, { operation: 'fresh table', findings, budget: BUDGET.fresh }),
    ),
    await inCloud(WARM_UNITS, (world) => manyImports(world, Math.ceil(findings / IMPORTS))),
  ];
  return { title: 'Imports with the manners of DynamoDB', rows, ok: rows.every(({ ok }) => ok) };
}

async function inCloud(units: number, measure: (world: World) => Promise<Row>): Promise<Row> {
  const directory = mkdtempSync(join(tmpdir(), 'exposure-cloud-'));
  const engine = await startDynamoDb({ logFile: join(directory, 'engine.log') });
  const front = await startFront(engine.endpoint, units);
  const system = await startSystem({ DYNAMODB_ENDPOINT: front.endpoint });
  try {
    return await measure({ system, front });
  } finally {
    await system.stop();
    await front.stop();
    await engine.stop();
  }
}

type Import = { operation: string; findings: number; budget: number };

async function oneImport(world: World, { operation, findings, budget }: Import): Promise<Row> {
  const report = benchReport(findings);
  const figures = await measured(world, findings, async () => {
    const { id } = await startImport(world.system, report);
    await finished(world.system, id);
  });
  const atMost = (budget * findings) / 100_000;
  return { operation, ...figures, patches: '-', ...noPatches, bound: `${atMost} s`, ok: figures.seconds <= atMost };
}

const noPatches = { 'p90 ms': '-', 'p90 ms wall': '-', 'failed patches': '-', 'failed deliveries': '-' };

/**
 * The API in this process, for the system of another one: on Lambda a person's request does not wait for the processor of
 * the ingest worker.
 */
async function withApi<T>(system: System, work: (api: System) => Promise<T>): Promise<T> {
  const environment = { ...process.env };
  setEnvironment(system.settings);
  const gateway = await startGateway(0);
  gateway.serve(areas);
  try {
    return await work({ ...system, baseUrl: gateway.baseUrl });
  } finally {
    await gateway.stop();
    forgetConnections();
    process.env = environment;
  }
}

/** Ten imports of one organization at once, and a person who changes findings meanwhile. */
async function manyImports(world: World, findings: number): Promise<Row> {
  const { system } = world;
  await finished(system, (await startImport(system, benchReport(200), { name: 'patched' })).id);
  const ids = await findingIds(system);
  const report = benchReport(findings);
  let patches = noneYet();
  const figures = await measured(world, findings * IMPORTS, async () => {
    const names = Array.from({ length: IMPORTS }, (_, n) => `shop-${n}`);
    const imports = Promise.all(
      names.map(async (name) => finished(system, (await startImport(system, report, { name })).id)),
    );
    const stop = new AbortController();
    const changes = withApi(system, (api) => patchOn({ ...world, system: api }, ids, stop.signal));
    [patches] = await Promise.all([changes, imports.finally(() => stop.abort())]);
  });
  const { times, wall, failed } = patches;
  const failedDeliveries = system.failedDeliveries();
  const ok = failedDeliveries === 0 && failed === 0 && percentile(times) <= PATCH_MS;
  return {
    operation: `${IMPORTS} imports at once`,
    ...figures,
    patches: times.length,
    'p90 ms': percentile(times),
    'p90 ms wall': percentile(wall),
    'failed patches': failed,
    'failed deliveries': failedDeliveries,
    bound: `${PATCH_MS} ms, none failed`,
    ok,
  };
}

async function measured({ system, front }: World, findings: number, work: () => Promise<void>) {
  const before = await system.measure();
  front.read();
  const [started, waited, wall] = [front.clock.now(), front.clock.waited(), performance.now()];
  await work();
  const seconds = (front.clock.now() - started) / 1000;
  const wallSeconds = (performance.now() - wall) / 1000;
  const after = await system.measure();
  const { transactions, conflicts, throttled, units, unitsByKind, unitsByKey } = front.read();
  const dearest = mostOf(unitsByKind).slice(0, 6);
  const [[hottest = '', hottestUnits = 0] = []] = mostOf(unitsByKey);
  return {
    findings,
    seconds: rounded(seconds),
    'cloud s': rounded((front.clock.waited() - waited) / 1000),
    'engine s': rounded(wallSeconds - seconds),
    'node s': rounded(after.processorSeconds - before.processorSeconds),
    MB: after.megabytes,
    'units per finding': rounded(units / findings),
    'of the engine': rounded(after.writeUnits / findings),
    rows: dearest.map(([kind, of]) => `${kind} ${rounded(of / findings)}`).join(', '),
    'hottest key': `${hottest.replace(/^[^#]*#/, '')} ${rounded(hottestUnits / findings)}`,
    transactions,
    conflicts,
    throttled,
  };
}

const mostOf = (units: Map<string, number>) => [...units].sort(([, a], [, b]) => b - a);
const rounded = (value: number): number => Math.round(value * 100) / 100;
const percentile = (times: number[]): number =>
  rounded(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.9)] ?? 0);

const noneYet = () => ({ times: [] as number[], wall: [] as number[], failed: 0 });

/** Changes one finding after the other, in triage's ways, until the signal. */
async function patchOn({ system, front }: World, ids: string[], signal: AbortSignal) {
  const patches = noneYet();
  for (let n = 0; !signal.aborted; n++) {
    const [started, wall] = [front.clock.now(), performance.now()];
    const id = ids[n % ids.length];
    const body = n % 2 === 0 ? { severity: n % 4 === 0 ? 'critical' : 'low' } : { tags: [`tag-${n % 7}`] };
    await send(system, 'PATCH', `/api/v1/findings/${id}`, body).catch((error) => {
      console.error(error);
      patches.failed++;
    });
    patches.times.push(front.clock.now() - started);
    patches.wall.push(performance.now() - wall);
    await sleep(50);
  }
  return patches;
}

async function findingIds(system: System): Promise<string[]> {
  const { data } = await send(system, 'GET', '/api/v1/findings?paginateSize=100');
  return (data as { id: string }[]).map(({ id }) => id);
}
