import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { listPrices } from '#infra/bill/month.ts';
import { type System, send, startSystem } from './ingest/client.ts';
import { type BenchTable, benchRow, benchTable } from './report.ts';

/** `failing`: one line of so many is a failed login, which rules count. */
type Size = { perSecond: number; seconds: number; stored: number; failing?: number };

/** The time and write units that events without matches may take, and those of an attack from 250 addresses at once. */
const BUDGETS = { quiet: { behind: 5, writeUnits: 0.1 }, attack: { behind: 20, writeUnits: 0.6 } };
const FAILING = 1_000;

const BATCH = 5_000;
/** Sequential requests of the collector before the next may be sent. */
const AT_ONCE = 2;

const { dollars: PRICES } = listPrices();

/**
 * Sends events at a rate through the whole service and waits until the last one is found; then fills the last hour and searches it. The
 * cost of a month is that of a gigabyte a day, from the units that were consumed.
 */
export async function benchEvents({ perSecond, seconds, stored, failing = FAILING }: Size): Promise<BenchTable> {
  const system = await startSystem();
  try {
    const token = await collectorToken(system);
    await system.measure();
    const rate = await sendAt(system, token, { perSecond, seconds, failing });
    const used = await system.measure();
    const sent = perSecond * seconds;
    const { behind, writeUnits } = failing === FAILING ? BUDGETS.quiet : BUDGETS.attack;
    const rows = [
      benchRow({
        operation: `${perSecond} events a second, until the last is found`,
        ...{ size: String(sent), roundTrips: 0, readUnits: used.readUnits / sent, writeUnits: used.writeUnits / sent },
        ...{ seconds: rate.seconds, megabytes: used.megabytes, commits: used.commits / sent },
        budget: { seconds: seconds + behind, writeUnits },
      }),
    ];
    const more = Math.ceil(Math.max(0, stored - sent) / BATCH);
    await sendAll(
      system,
      token,
      Array.from({ length: more }, (_, n) => `fill-${n}`),
    );
    await until(system, sent + more * BATCH);
    for (const [operation, query] of stored > sent ? SEARCHES : [])
      rows.push(await searchRow(system, operation, query, sent + more * BATCH));
    const bytes = rate.bytes / sent;
    const figures = [
      monthOf({
        bytes,
        perBatch: rate.packed / rate.batches,
        writeUnits: used.writeUnits / sent,
        cpu: used.processorSeconds / sent,
      }),
    ];
    return benchTable('Events: units per event, seconds of a search', rows, figures);
  } finally {
    await system.stop();
  }
}

const SEARCHES: [operation: string, query: string][] = [
  ['search of the last hour, no filter', ''],
  ['search of the last hour, a word that one event has', '&search=unique-fill-0-17'],
  ['search of the last hour, a word that many have', '&search=accepted'],
  ['search of the last hour, a host', '&host=web-7.example.com'],
];

async function searchRow(system: System, operation: string, query: string, size: number) {
  await find(system, query);
  await system.measure();
  const started = performance.now();
  const found = await find(system, query);
  const seconds = (performance.now() - started) / 1000;
  const { readUnits, roundTrips } = await system.measure();
  if ((found.data as unknown[]).length === 0) throw new Error(`${operation}: nothing was found`);
  const budget = { seconds: 1, readUnits: 2_000 };
  return benchRow({ operation, size: String(size), roundTrips, readUnits, writeUnits: 0, seconds, budget });
}

const find = (system: System, query: string) => send(system, 'GET', `/api/v1/siem/events?limit=50${query}`);

async function collectorToken(system: System): Promise<string> {
  const { clientId, clientSecret } = system;
  const admin = await post(system, '/api/v1/oauth/token', {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const { linkToken } = await post(
    system,
    '/api/v1/organization/link-tokens',
    { kind: 'collector' },
    String(admin.access_token),
  );
  const linked = await post(system, '/api/v1/collector_communication/link', { linkToken, name: 'bench' });
  const machine = { grant_type: 'client_credentials', client_id: linked.clientId, client_secret: linked.clientSecret };
  return String((await post(system, '/api/v1/oauth/token', machine)).access_token);
}

async function post({ baseUrl }: System, path: string, body: object, token?: string): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Lines as sshd writes them, of which some are failed logins; 20 hosts, 250 addresses, and a word that only this event has. */
function linesOf(name: string, failing: number): string {
  const at = Date.now();
  return Array.from({ length: BATCH }, (_, n) => {
    const time = new Date(at - (n % 1_000)).toISOString();
    const text =
      n % failing === failing - 1 ? 'Failed password for invalid user admin' : `Accepted publickey for user${n % 50}`;
    return `<86>1 ${time} web-${n % 20}.example.com sshd ${1_000 + (n % 500)} - - ${text} from 10.0.${n % 50}.${n % 250} port ${1_024 + n} ssh2 unique-${name}-${n}`;
  }).join('\n');
}

async function sendOne(
  system: System,
  token: string,
  { name, failing = FAILING }: { name: string; failing?: number },
): Promise<{ bytes: number; packed: number }> {
  const text = linesOf(name, failing);
  const packed = gzipSync(text, { level: 1 });
  const body = { batchId: name, source: 'bench', content: packed.toString('base64'), encoding: 'gzip+base64' };
  await post(system, '/api/v1/collector_communication/events', body, token);
  return { bytes: text.length, packed: packed.length };
}

async function sendAll(system: System, token: string, names: readonly string[]) {
  for (let from = 0; from < names.length; from += AT_ONCE)
    await Promise.all(names.slice(from, from + AT_ONCE).map((name) => sendOne(system, token, { name })));
}

async function sendAt(system: System, token: string, { perSecond, seconds, failing = FAILING }: Omit<Size, 'stored'>) {
  const started = performance.now();
  const batches = (perSecond * seconds) / BATCH;
  let [bytes, packed] = [0, 0];
  for (let n = 0; n < batches; n++) {
    const due = started + (n * BATCH * 1000) / perSecond;
    await sleep(Math.max(0, due - performance.now()));
    const one = await sendOne(system, token, { name: `rate-${n}`, failing });
    bytes += one.bytes;
    packed += one.packed;
  }
  await until(system, batches * BATCH);
  return { seconds: (performance.now() - started) / 1000, bytes, packed, batches };
}

/** Waits until so many events are counted. */
async function until(system: System, events: number): Promise<void> {
  for (;;) {
    const { events24h } = await send(system, 'GET', '/api/v1/dashboards/overview/system/siem');
    if (events24h === events) return;
    if (Number(events24h) > events) throw new Error(`${events24h} events are counted, and ${events} were sent`);
    await sleep(100);
  }
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
