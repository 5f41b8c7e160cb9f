import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { openIdentity } from '../reference-machine/identity.ts';
import { type Installation, type Kind, linkOnce } from '../reference-machine/link.ts';
import { pause, repeat } from '../reference-machine/repeat.ts';
import { endsMachine, openService, Refused, type Service } from '../reference-machine/service.ts';
import { openSpool, type Spool } from './spool.ts';
import { listen, type TlsListening } from './syslog.ts';
import { follow } from './tail.ts';

type CollectorOptions = Installation & {
  stateDirectory: string;
  files: readonly string[];
  port: number | undefined;
  tls: TlsListening | undefined;
  /** So long lines wait for others: a batch of its own for each second would cost the service several times as much. */
  gatherSeconds: number;
};

const version = '1.0.0';
const kind: Kind = { name: 'collector', path: '/api/v1/collector_communication/link', version, about: {} };

const StatusAnswer = z.object({ pollAfterSeconds: z.number() });

/** The interval at which waiting batches are sent. */
const LOOK_SECONDS = 1;

/**
 * Links once, then sends new lines of files, and lines that come by syslog, until `stopping` is aborted. The collector writes a line to a batch on disk before it counts the line as read, and keeps the batch until
 * the service has it.
 * @throws Refused with status 401 when the collector was removed or its credential revoked
 */
export async function runCollector(options: CollectorOptions, stopping: AbortSignal): Promise<void> {
  const { url, stateDirectory, files, port, tls, gatherSeconds } = options;
  const identity = openIdentity(join(stateDirectory, 'collector.json'));
  const linked = await linkOnce({ installation: options, kind, identity }, stopping);
  if (!linked) return;
  const service = openService(url, () => linked);
  const spool = await openSpool(join(stateDirectory, 'batches'));
  const ending = new AbortController();
  const until = AbortSignal.any([stopping, ending.signal]);
  const syslog =
    port === undefined && !tls
      ? undefined
      : await listen({ port, tls, gatherSeconds }, (lines) => spool.put('syslog', lines));
  console.log(`collector ${linked.id} works for ${url}`);
  const sources = [...files, ...(syslog ? ['syslog'] : [])].map((name) => ({ name: name.slice(-120), format: 'auto' }));
  const about = { version, hostname: hostname(), sources };
  const following = files.map((file) => followLines({ file, stateDirectory, spool, gatherSeconds }, until));
  const telling = repeat(() => tell(service, about, until), until);
  try {
    await repeat(() => sendWaiting({ service, spool }, until), until);
  } finally {
    ending.abort();
    await syslog?.close();
    await Promise.all([...following, telling]);
  }
  console.log('stopped');
}

type Followed = { file: string; stateDirectory: string; spool: Spool; gatherSeconds: number };

async function followLines(
  { file, stateDirectory, spool, gatherSeconds }: Followed,
  until: AbortSignal,
): Promise<void> {
  const take = (lines: string[], name: string) => spool.put(file.slice(-120), lines, name);
  const following = follow({ file, stateDirectory, take });
  await repeat(async () => {
    await following.look();
    await pause(gatherSeconds, until);
  }, until);
  await following.close();
}

async function tell(service: Service, about: object, until: AbortSignal): Promise<void> {
  const answer = await service.post('/api/v1/collector_communication/status', about, until);
  await pause(StatusAnswer.parse(answer).pollAfterSeconds, until);
}

type Sending = { service: Service; spool: Spool };

/**
 * Sends the oldest batch first. Puts a batch aside that the service refuses for its content: the service would refuse
 * it again.
 */
async function sendWaiting({ service, spool }: Sending, until: AbortSignal): Promise<void> {
  for (const batchId of await spool.waiting()) {
    const { source, content } = await spool.read(batchId);
    const body = { batchId, source, content, encoding: 'gzip+base64' };
    try {
      await service.post('/api/v1/collector_communication/events', body, until);
      await spool.done(batchId);
    } catch (error) {
      if (!(error instanceof Refused) || endsMachine(error) || error.status !== 400) throw error;
      console.error(`the batch ${batchId} is not taken: ${error.message}`);
      await spool.refuse(batchId);
    }
  }
  await pause(LOOK_SECONDS, until);
}
