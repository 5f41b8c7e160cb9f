import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { startDynamoDb } from '#local/dynamodb.ts';
import { ensureTable } from '#local/table-setup.ts';
import { type Dynamo, openDynamo } from '#shared/platform/runtime/dynamo.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import { findPositions } from '#shared/platform/table/list.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { fillRows, recordsOn } from './fill-rows.ts';
import { attachMeter, type Meter } from './meter.ts';
import { budgetAt, COMBINED, LIST, type Pages, RARE, worstPage } from './pages.ts';
import { processorMs } from './processor.ts';
import { type BenchRow, type BenchTable, type Budget, benchRow, benchTable, growthOf } from './report.ts';
import { detailed, type Exposure, exposures, exposuresOf, fill, ingest, remove, sized } from './store-model.ts';

/** From here on the rows are written directly, because an import of a million records would take an hour (bench/fill-rows.ts). */
const LARGE = 10_000;
const shares = [
  { label: '', share: 0 },
  { label: ', 5 % deleted', share: 0.05 },
  { label: ', 48 % deleted', share: 0.48 },
];

/** Measures the store's consumed capacity at these sizes, before and after deletions. */
export async function benchStore(sizes: readonly number[] = [100, 10_000, 100_000]): Promise<BenchTable> {
  // as a function of the cloud; `local/run.mjs` keeps the heap of a machine with imports smaller
  setFlagsFromString('--heap-growing-percent=0');
  const engine = await startDynamoDb({ logFile: join(tmpdir(), 'bench-store.log') });
  const dynamo = openDynamo('bench-store', {
    endpoint: engine.endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  try {
    await ensureTable(dynamo.client, dynamo.tableName);
    const meter = attachMeter(dynamo);
    const rows: BenchRow[] = [];
    for (const size of sizes)
      for (const { label, share } of shares) {
        const at = { meter, size: `${size}${label}`, ...(await worldOf(dynamo, { size, share })) };
        // the first reads of a process would take twice as long as those of the next size
        if (rows.length === 0) await measureReads(at);
        rows.push(...(await measureReads(at)));
        if (share === 0 && size <= 100_000) rows.push(...(await measureWrites(at)));
      }
    return benchTable('Store: consumed capacity, round trips and processor time', rows, growthOf(rows));
  } finally {
    await engine.stop();
  }
}

/** A collection of an organization of its own, with as many records deleted. */
export async function worldOf(dynamo: Dynamo, { size, share }: { size: number; share: number }) {
  const table = openTable(dynamo, newId());
  const filled = { ...exposuresOf(table, { size, share }), indexAlone: true };
  if (size < LARGE) {
    await fill(table, size);
    if (share > 0) await remove(table, filled.isDeleted);
    return { table };
  }
  await fillRows(table, exposures, filled);
  return { table, place: (ordinals: readonly number[]) => recordsOn(table, exposures, { filled, ordinals }) };
}

type Bench = { table: Table; meter: Meter; size: string; place?: (ordinals: readonly number[]) => Promise<void> };

const FILTER: Budget = { roundTrips: 3, readUnits: 16 };
const SEARCH: Budget = { roundTrips: 3, readUnits: 20 };

export async function measureReads(bench: Bench): Promise<BenchRow[]> {
  const { table } = bench;
  const asset = { asset: 'asset-7' };
  const scattered = { asset: 'scattered' };
  const doubtful = { doubtful: 'all' };
  const critical = { severity: 'critical' };
  const rare = { ...critical, status: 'false_positive' };
  return [
    await pages(bench, { name: 'list of 25', budget: LIST }),
    await pages(bench, { name: 'by status', budget: FILTER, filter: { status: 'open' } }),
    await pages(bench, { name: 'by severity', budget: FILTER, filter: critical }),
    await pages(bench, { name: 'by status and severity', budget: FILTER, filter: { ...critical, status: 'open' } }),
    await pages(bench, { name: 'by a list of its own, 1 in 2,500', budget: FILTER, parent: doubtful }),
    await pages(bench, { name: 'the same 1 in 2,500 as a filter', budget: FILTER, filter: rare, known: true }),
    await pages(bench, { name: 'by parent', budget: FILTER, parent: asset }),
    await pages(bench, { name: 'by parent and status', budget: FILTER, parent: asset, filter: { status: 'open' } }),
    await pages(bench, { name: 'by parent, scattered', budget: FILTER, parent: scattered }),
    await pages(bench, { name: 'list of 500', budget: { roundTrips: 4, readUnits: 70 }, paginateSize: 500 }),
    await pages(bench, { name: 'a value that 1 in 2,500 has', budget: RARE, where: { tag: 'rare' } }),
    await pages(bench, {
      name: 'two dimensions and two values',
      budget: COMBINED,
      where: { status: 'open', severity: ['high', 'critical'], tool: 'tool-1', tag: 'pci' },
      known: true,
    }),
    await pages(bench, {
      name: 'a word and two filters',
      budget: COMBINED,
      search: 'weak',
      where: { severity: 'high', tag: 'pci' },
      known: true,
    }),
    ...(await measureConditions(bench)),
    await pages(bench, { name: 'three words', budget: COMBINED, search: 'weak cipher port-25' }),
    await search(bench, { name: 'search, 1 in 400', search: 'heartb' }),
    await search(bench, { name: 'search, every record', search: 'weak' }),
    await search(bench, { name: 'search, two words', search: 'port-25 heartbleed' }),
    await search(bench, { name: 'search, two frequent words', search: 'port-1 weak' }),
    await readOf(bench, 'facets', { budget: { roundTrips: 1, readUnits: 1 }, run: () => table.facets(exposures) }),
  ];
}

/** Conditions that leave out records, and that many records meet. */
export async function measureConditions(bench: Bench): Promise<BenchRow[]> {
  const notTool: Marked = { not: { name: 'tool', values: ['tool-1'] } };
  const dense: Marked[] = [
    { name: 'status', values: ['open'] },
    { name: 'severity', values: ['low'] },
    { name: 'tool', values: ['tool-1'] },
    { not: { name: 'tag', values: ['pci'] } },
  ];
  return [
    await pages(bench, { name: 'all but those of a tool', budget: FILTER, matching: notTool }),
    await pages(bench, { name: 'four dense conditions', budget: COMBINED, matching: { all: dense }, known: true }),
  ];
}

const pages = (bench: Bench, asked: Pages) =>
  worstPage({ ...bench, entity: exposures }, { ...asked, budget: budgetAt(sizeOf(bench), asked.budget) });

const sizeOf = ({ size }: Bench): number => Number.parseInt(size, 10);

async function search(bench: Bench, { name, search, known }: { name: string; search: string; known?: boolean }) {
  const { table, place } = bench;
  const query = { search, paginateFrom: 0, paginateSize: 25 };
  const { ordinals } = await findPositions({ ...table, entity: exposures }, query);
  await place?.(ordinals);
  const budget = budgetAt(sizeOf(bench), SEARCH);
  const row = await readOf(bench, name, { budget, known, run: () => table.list(exposures, query) });
  return { ...row, records: ordinals.length };
}

type Asked = { budget: Budget; known?: boolean; run: () => Promise<unknown> };

async function readOf(bench: Bench, name: string, asked: Asked) {
  return { ...(await once(bench, name, asked)), processorMs: await processorMs(asked.run) };
}

async function once({ meter, size }: Bench, name: string, { budget, known, run }: Asked) {
  return benchRow({ operation: name, size, ...(await meter.measure(run)), budget, known });
}

/** The most records that fit into one transaction with their detail, fingerprint and counter rows. */
const BULK = 28;
/** Three words and four values: the index takes a unit pair for each mark of a single write. */
const MARKS = 7;

/** Search rows are added to the budget: two units for each word that is put or removed. */
async function measureWrites(bench: Bench): Promise<BenchRow[]> {
  const { table } = bench;
  const fields = {
    title: 'Weak cipher suite',
    tool: 'tool-1',
    tag: null,
    status: 'open',
    severity: 'high',
    asset: null,
    summary: '',
    text: null,
  };
  const [id = ''] = await table.reserve(exposures, 1);
  // The row is 1 KB at its longest, in a parent's list and with another status.
  const longest = { ...fields, status: 'in_progress', asset: 'asset-7' };
  const { summary } = sized(table, table.stamp<Exposure>({ id, ...longest }));
  let item: Exposure | undefined;
  const create = async (asset: string | null = null) => {
    item = await table.create<Exposure, never>(exposures, { ...fields, summary, asset });
  };
  const held = () => item ?? table.stamp<Exposure>({ id, ...fields });
  const write = (name: string, writeUnits: number, run: () => Promise<unknown>) =>
    once(bench, name, { budget: { roundTrips: 2, writeUnits }, run });
  const rows = [
    await write(`create, ${MARKS} marks`, 10 + 2 * MARKS, () => create()),
    await readOf(bench, 'get by id', {
      budget: { roundTrips: 1, readUnits: 0.5 },
      run: () => table.get(exposures, held().id),
    }),
    await write('update of status, two marks', 8 + 4, async () => {
      item = await table.update<Exposure, never>(exposures, held(), { status: 'fixed' });
    }),
    await write(`delete, ${MARKS} marks`, 10 + 2 * MARKS, () => table.delete(exposures, held())),
    await write(`create in a parent's list, ${MARKS + 1} marks`, 10 + 4 + 2 * (MARKS + 1), () => create('asset-7')),
  ];
  await table.delete(exposures, held());
  const usage = await bench.meter.measure(() => ingest(table, BULK));
  const each = { ...usage, readUnits: usage.readUnits / BULK, writeUnits: usage.writeUnits / BULK };
  const { data } = await table.list(detailed, { paginateFrom: 0, paginateSize: 1 });
  const withDetail = { budget: { roundTrips: 1, readUnits: 1 }, run: () => table.get(detailed, data[0]?.id ?? '') };
  return [
    ...rows,
    benchRow({ operation: 'bulk create of 1.5 KB, each', size: bench.size, ...each, budget: { writeUnits: 9 } }),
    await readOf(bench, 'get by id, with detail row', withDetail),
  ];
}
