import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CloudClock, startClock } from './clock.ts';
import { latencyOf, partitionLimits, rowLocks } from './manners.ts';
import { type BatchEntry, type CloudRequest, readRequest, rowOfEntry, type WrittenRow } from './requests.ts';

/** Figures since the last reading. */
type FrontUsage = {
  transactions: number;
  conflicts: number;
  throttled: number;
  units: number;
  /** Write units by kind of row: the organization and its numbers are left out. */
  unitsByKind: Map<string, number>;
  unitsByKey: Map<string, number>;
};
export type Front = { endpoint: string; clock: CloudClock; read(): FrontUsage; stop(): Promise<void> };

type Answer = { status: number; headers?: IncomingHttpHeaders; body: Buffer };
type State = {
  engine: string;
  clock: CloudClock;
  limits: ReturnType<typeof partitionLimits>;
  locks: ReturnType<typeof rowLocks>;
  usage: FrontUsage;
};

/**
 * A server with DynamoDB's protocol before the local engine. It adds what the engine lacks: latencies, conflicts of
 * transactions that run at the same time, and the limits of partitions. It is a server and not a part of the client, so
 * that the client's own retries are measured too. The limits of reads are left out: imports use far less.
 * @param unitsPerSecond write units that the whole table takes
 */
export async function startFront(engine: string, unitsPerSecond: number): Promise<Front> {
  const clock = startClock();
  const limits = partitionLimits(unitsPerSecond, clock.now);
  const state: State = { engine, clock, limits, locks: rowLocks(), usage: noUsage() };
  const server = createServer(async (incoming, outgoing) => {
    const { status, headers, body } = await answerTo(state, incoming, await bodyOf(incoming));
    outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
    read() {
      const { usage } = state;
      state.usage = noUsage();
      return usage;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

const noUsage = (): FrontUsage => ({
  transactions: 0,
  conflicts: 0,
  throttled: 0,
  units: 0,
  unitsByKind: new Map(),
  unitsByKey: new Map(),
});

async function answerTo(state: State, { headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  const operation = String(headers['x-amz-target'] ?? '').replace(/^.*\./, '');
  const asked = readRequest(operation, body);
  if (asked.operation === 'BatchWriteItem') return answerToBatch(state, headers, body);
  const refusal = refusalOf(state, asked);
  if (refusal) {
    await state.clock.sleep(REFUSAL_MS);
    return refusal;
  }
  return perform(state, asked, forward(state.engine, headers, body));
}

const REFUSAL_MS = 4;

function refusalOf({ locks, limits, usage }: State, { isTransaction, rows }: CloudRequest): Answer | undefined {
  if (isTransaction) usage.transactions++;
  const held = locks.held(rows);
  if (held.includes(true)) {
    usage.conflicts++;
    return isTransaction ? cancelled(held, 'TransactionConflict') : failure('TransactionConflictException');
  }
  const over = limits.over(rows, true);
  if (!over.includes(true)) return undefined;
  usage.throttled++;
  return isTransaction ? cancelled(over, 'ThrottlingError') : failure(THROUGHPUT);
}

/** The engine works while the latency passes. Its rows are held for as long as the cloud would hold them. */
async function perform(state: State, asked: CloudRequest, answer: Promise<Answer>): Promise<Answer> {
  const { clock, locks } = state;
  count(state.usage, asked.rows);
  if (asked.isTransaction) locks.take(asked.rows);
  let answered = false;
  const settled = answer.finally(() => {
    answered = true;
  });
  settled.catch(() => undefined);
  await clock.sleep(latencyOf(asked));
  if (asked.isTransaction) locks.release(asked.rows);
  return answered ? settled : clock.standStill(settled);
}

/** Rows that are held, or whose partition is over its limit, stay unprocessed. */
async function answerToBatch(state: State, headers: IncomingHttpHeaders, body: Buffer): Promise<Answer> {
  const { RequestItems, ...rest } = JSON.parse(body.toString()) as { RequestItems: Record<string, BatchEntry[]> };
  const [table = '', entries = []] = Object.entries(RequestItems)[0] ?? [];
  const rows = entries.map(rowOfEntry);
  const held = state.locks.held(rows);
  const over = state.limits.over(rows, false);
  const left = (n: number) => held[n] === true || over[n] === true;
  state.usage.throttled += over.filter(Boolean).length;
  state.usage.conflicts += held.filter(Boolean).length;
  const done = entries.filter((_, n) => !left(n));
  if (done.length === 0) {
    await state.clock.sleep(REFUSAL_MS);
    return failure(THROUGHPUT);
  }
  const part = Buffer.from(JSON.stringify({ ...rest, RequestItems: { [table]: done } }));
  const asked = {
    operation: 'BatchWriteItem',
    isTransaction: false,
    isRead: false,
    rows: rows.filter((_, n) => !left(n)),
  };
  const answer = await perform(state, asked, forward(state.engine, headers, part));
  if (done.length === entries.length || answer.status !== 200) return answer;
  const UnprocessedItems = { [table]: entries.filter((_, n) => left(n)) };
  return {
    status: 200,
    body: Buffer.from(JSON.stringify({ ...JSON.parse(answer.body.toString()), UnprocessedItems })),
  };
}

const THROUGHPUT = 'ProvisionedThroughputExceededException';
const type = (name: string) => `com.amazonaws.dynamodb.v20120810#${name}`;

const failure = (name: string): Answer => ({
  status: 400,
  body: Buffer.from(JSON.stringify({ __type: type(name), message: `${name} of the simulated cloud` })),
});

function cancelled(rows: boolean[], code: string): Answer {
  const CancellationReasons = rows.map((isMeant) => ({ Code: isMeant ? code : 'None' }));
  const message = `Transaction cancelled by the simulated cloud: ${code}`;
  return {
    status: 400,
    body: Buffer.from(JSON.stringify({ __type: type('TransactionCanceledException'), message, CancellationReasons })),
  };
}

function count(usage: FrontUsage, rows: readonly WrittenRow[]): void {
  for (const { pk, units } of rows) {
    const [, entity = '', part = ''] = pk.split('#');
    // a record's partition is a number; the keys of row kinds are names and ids
    const kind = /^([a-z]|d?\d+)$/.test(part) ? `${entity}#${part.replace(/\d+/, 'n')}` : entity;
    usage.units += units;
    usage.unitsByKey.set(pk, (usage.unitsByKey.get(pk) ?? 0) + units);
    usage.unitsByKind.set(kind, (usage.unitsByKind.get(kind) ?? 0) + units);
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

async function forward(engine: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Answer> {
  const { host: _host, ...others } = headers;
  const options = { method: 'POST', agent, headers: { ...others, 'content-length': body.length } };
  const sent = request(engine, options).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const { 'transfer-encoding': _encoding, connection: _connection, ...kept } = answer.headers;
  return { status: answer.statusCode ?? 500, headers: kept, body: await bodyOf(answer) };
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}
