import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type System, send } from '../ingest/client.ts';

/** Events of a batch: a collector's events of one second. */
export const BATCH = 5_000;
/** Addresses that the logins come from. */
export const ADDRESSES = 250;

/** `failing`: one line of this many is a failed login, which rules count. */
export type Stream = { perSecond: number; seconds: number; failing: number };

/** The access token of a new collector. */
export async function collectorToken(system: System): Promise<string> {
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

/**
 * Lines in the form of sshd, some of them failed logins: 20 hosts, 20 names that each address tries, and a word that
 * only one event has.
 */
function linesOf(name: string, failing: number): string {
  const at = Date.now();
  return Array.from({ length: BATCH }, (_, n) => {
    const time = new Date(at - (n % 1_000)).toISOString();
    const user = `user${Math.floor(n / ADDRESSES)}`;
    const text =
      n % failing === failing - 1 ? `Failed password for invalid user ${user}` : `Accepted publickey for ${user}`;
    return `<86>1 ${time} web-${hostOf(name, n)}.example.com sshd ${1_000 + (n % 500)} - - ${text} from 10.0.${n % 50}.${n % ADDRESSES} port ${1_024 + n} ssh2 unique-${name}-${n}`;
  }).join('\n');
}

/** `user7` is on `web-7` in one event of the first batch, and both are in many others of every batch. */
const hostOf = (name: string, n: number): number =>
  n % 20 === 7 && Math.floor(n / ADDRESSES) === 7 && !(name === 'rate-0' && n === 7 * ADDRESSES + 17) ? 8 : n % 20;

export const failingOf = (failing: number): number => Math.floor(BATCH / failing);

export type Batch = { bytes: number; packed: number; body: object };

/** A batch as a collector keeps it until it is acknowledged. */
export function batchOf(name: string, failing: number): Batch {
  const text = linesOf(name, failing);
  const packed = gzipSync(text, { level: 1 });
  const body = { batchId: name, source: 'bench', content: packed.toString('base64'), encoding: 'gzip+base64' };
  return { bytes: text.length, packed: packed.length, body };
}

export const sendBatch = (system: System, token: string, { body }: Batch) =>
  post(system, '/api/v1/collector_communication/events', body, token);

/** Makes batches at the rate and passes each to `sendIt`. After a slow batch the next batches come at once. */
export async function sendAt(
  { perSecond, seconds, failing }: Stream,
  sendIt: (batch: Batch, n: number) => Promise<unknown>,
  make = (n: number): Batch => batchOf(`rate-${n}`, failing),
) {
  const started = performance.now();
  const batches = (perSecond * seconds) / BATCH;
  let [bytes, packed] = [0, 0];
  for (let n = 0; n < batches; n++) {
    const due = started + (n * BATCH * 1000) / perSecond;
    await sleep(Math.max(0, due - performance.now()));
    const batch = make(n);
    await sendIt(batch, n);
    bytes += batch.bytes;
    packed += batch.packed;
  }
  return { started, bytes, packed, batches };
}

/** The events of the last day. */
export async function countedEvents(system: System): Promise<number> {
  return Number((await send(system, 'GET', '/api/v1/dashboards/overview/system/siem')).events24h);
}

/** Waits until so many events are counted. */
export async function untilCounted(system: System, events: number): Promise<void> {
  for (;;) {
    const counted = await countedEvents(system);
    if (counted === events) return;
    if (counted > events) throw new Error(`${counted} events are counted, and ${events} were sent`);
    await sleep(100);
  }
}

const RULE = 'Many failed SSH logins from one address';

/** Waits until alerts show this many failed logins. @returns the number of alerts, one for each address and window */
export async function untilAlerted(system: System, logins: number): Promise<number> {
  const ruleId = await ruleCalled(system, RULE);
  for (;;) {
    const { data } = await send(system, 'GET', `/api/v1/soc/alerts?ruleId=${ruleId}&paginateSize=500`);
    const counts = (data as { eventCount: number }[]).map(({ eventCount }) => eventCount);
    const sum = counts.reduce((total, one) => total + one, 0);
    if (sum === logins) return counts.length;
    if (sum > logins) throw new Error(`${sum} failed logins stand on alerts, and ${logins} were sent`);
    // 500 alerts are read each time
    await sleep(1_000);
  }
}

async function ruleCalled(system: System, wanted: string): Promise<string> {
  const { data } = await send(system, 'GET', '/api/v1/detection/rules?paginateSize=500');
  const rule = (data as { id: string; title: string }[]).find(({ title }) => title === wanted);
  if (!rule) throw new Error(`there is no rule ${wanted}`);
  return rule.id;
}
