import { listPrices } from '#infra/bill/month.ts';
import {
  ADDRESSES,
  BATCH,
  batchOf,
  collectorToken,
  failingOf,
  type Stream,
  sendAt,
  sendBatch,
  untilAlerted,
  untilCounted,
} from './events/sender.ts';
import { type System, send, startSystem } from './ingest/client.ts';
import { type BenchTable, benchRow, benchTable } from './report.ts';

type Size = Omit<Stream, 'failing'> & { stored: number };

/** The seconds that the last event may be behind, and write units: of an attack two rules count every line. */
const BUDGETS = { quiet: { behind: 5, writeUnits: 0.1 }, attack: { behind: 20, writeUnits: 0.8 } };
const FAILING = 1_000;

/** Sequential requests of the collector before the next may be sent. */
const AT_ONCE = 2;

const { dollars: PRICES } = listPrices();

/**
 * Sends events at a rate through the whole service and waits until a search finds the last event; then fills the last
 * hour and searches it. The cost of a month is the cost of a gigabyte a day, from the consumed units.
 */
export async function benchEvents({ perSecond, seconds, stored }: Size): Promise<BenchTable> {
  const system = await startSystem();
  try {
    const token = await collectorToken(system);
    await system.measure();
    const stream = { perSecond, seconds, failing: FAILING };
    const sent = await sendAt(stream, (batch) => sendBatch(system, token, batch));
    await untilCounted(system, perSecond * seconds);
    const { row, used } = await rateRow(system, 'until the last is found', { stream, sent, budget: BUDGETS.quiet });
    const rows = [row];
    const events = perSecond * seconds;
    const more = Math.ceil(Math.max(0, stored - events) / BATCH);
    await sendAll(
      system,
      token,
      Array.from({ length: more }, (_, n) => `fill-${n}`),
    );
    await untilCounted(system, events + more * BATCH);
    for (const [operation, query] of stored > events ? SEARCHES : [])
      rows.push(await searchRow(system, operation, query, events + more * BATCH));
    const [bytes, perBatch] = [sent.bytes / events, sent.packed / sent.batches];
    const [writeUnits, cpu] = [used.writeUnits / events, used.processorSeconds / events];
    return benchTable('Events: units per event, seconds of a search', rows, [
      monthOf({ bytes, perBatch, writeUnits, cpu }),
    ]);
  } finally {
    await system.stop();
  }
}

/**
 * Every line is a failed login that two rules count. Waits until alerts show all logins, one alert for each address and
 * window.
 */
export async function benchAttack({ perSecond, seconds }: Omit<Size, 'stored'>): Promise<BenchTable> {
  const system = await startSystem();
  try {
    const token = await collectorToken(system);
    await system.measure();
    const stream = { perSecond, seconds, failing: 1 };
    const sent = await sendAt(stream, (batch) => sendBatch(system, token, batch));
    await untilCounted(system, perSecond * seconds);
    const alerts = await untilAlerted(system, sent.batches * failingOf(stream.failing));
    if (alerts !== ADDRESSES) throw new Error(`${alerts} alerts were made for ${ADDRESSES} addresses in one window`);
    const { row } = await rateRow(system, 'until all stand on alerts', { stream, sent, budget: BUDGETS.attack });
    return benchTable('Events of an attack: units per event', [row]);
  } finally {
    await system.stop();
  }
}

type Rate = { stream: Stream; sent: { started: number }; budget: { behind: number; writeUnits: number } };

async function rateRow(system: System, end: string, { stream, sent, budget }: Rate) {
  const seconds = (performance.now() - sent.started) / 1000;
  const used = await system.measure();
  const events = stream.perSecond * stream.seconds;
  const row = benchRow({
    operation: `${stream.perSecond} events a second, ${end}`,
    size: String(events),
    roundTrips: 0,
    readUnits: used.readUnits / events,
    writeUnits: used.writeUnits / events,
    seconds,
    megabytes: used.megabytes,
    commits: used.commits / events,
    processorSeconds: used.processorSeconds,
    budget: { seconds: stream.seconds + budget.behind, writeUnits: budget.writeUnits },
  });
  return { row, used };
}

const SEARCHES: [operation: string, query: string][] = [
  ['search of the last hour, no filter', ''],
  ['search of the last hour, a word that one event has', '&search=unique-fill-0-17'],
  ['search of the last hour, a word that many have', '&search=accepted'],
  ['search of the last hour, a rare pair of host and user', '&host=web-7.example.com&user=user7'],
  ['search of the last hour, a host', '&host=web-7.example.com'],
];

async function searchRow(system: System, operation: string, query: string, size: number) {
  await find(system, query);
  await system.measure();
  const started = performance.now();
  const found = await find(system, query);
  const seconds = (performance.now() - started) / 1000;
  const { readUnits, roundTrips, processorSeconds } = await system.measure();
  if (found === 0) throw new Error(`${operation}: nothing was found`);
  const budget = { seconds: 1, readUnits: 2_000 };
  const row = { operation, size: String(size), roundTrips, readUnits, writeUnits: 0, seconds, processorSeconds };
  return benchRow({ ...row, budget });
}

/** Asks on until a page of 50 events is full, or the whole hour was searched. */
async function find(system: System, query: string): Promise<number> {
  let found = 0;
  let cursor: unknown = '';
  while (found < 50 && cursor !== null) {
    const more = cursor === '' ? '' : `&cursor=${cursor}`;
    const answer = await send(system, 'GET', `/api/v1/siem/events?limit=50${query}${more}`);
    found += (answer.data as unknown[]).length;
    cursor = answer.cursor;
  }
  return found;
}

async function sendAll(system: System, token: string, names: readonly string[]) {
  for (let from = 0; from < names.length; from += AT_ONCE)
    await Promise.all(
      names.slice(from, from + AT_ONCE).map((name) => sendBatch(system, token, batchOf(name, FAILING))),
    );
}

type Measured = { bytes: number; perBatch: number; writeUnits: number; cpu: number };

/** The cost of a gigabyte a day for a month of 30 days that keeps 30 days, in batches as they were sent. */
function monthOf({ bytes, perBatch, writeUnits, cpu }: Measured) {
  const events = (30 * 1e9) / bytes;
  const batches = events / BATCH;
  const cost = {
    puts: batches * 2 * PRICES.put,
    writes: events * writeUnits * PRICES.writeUnit,
    messages: batches * 3 * PRICES.message,
    functions: events * cpu * 1.769 * PRICES.gigabyteSecond,
    storage: ((batches * perBatch) / 1e9) * PRICES.objectGigabyteMonth,
  };
  const total = Object.values(cost).reduce((sum, one) => sum + one, 0);
  const told = Object.entries(cost).map(([name, dollars]) => [`${name} $`, dollars.toFixed(2)]);
  return {
    operation: 'a month of 1 GB a day',
    'bytes an event': bytes.toFixed(0),
    ...Object.fromEntries(told),
    'all $': total.toFixed(2),
  };
}
