import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { random } from '#shared/platform/runtime/random.ts';
import { type System, send, startSystem } from '../ingest/client.ts';
import type { PlainTable } from '../report.ts';
import {
  BATCH,
  collectorToken,
  countedEvents,
  failingOf,
  type Stream,
  sendAt,
  sendBatch,
  untilAlerted,
  untilCounted,
} from './sender.ts';

/** The service gets a batch each second: a kill hits the work on a batch, or the sending of the next one. */
const MAX_WAIT_MS = 1_100;

type Killed = Omit<Stream, 'failing'> & { kills: number };

/**
 * Sends events at a rate while the whole service is killed several times. Like a collector, it repeats each batch until
 * the service acknowledges it. Then a search must find every event once, and one alert must show every failed login.
 */
export async function benchKills({ perSecond, seconds, kills }: Killed): Promise<PlainTable> {
  const directory = mkdtempSync(join(tmpdir(), 'exposure-kills-'));
  const service = await startService(directory);
  try {
    const stream = { perSecond, seconds, failing: 3 };
    const batches = (perSecond * seconds) / BATCH;
    const every = Math.max(1, Math.floor(batches / kills));
    const token = await collectorToken(service.now());
    let killing = Promise.resolve();
    const sent = await sendAt(stream, async (batch, n) => {
      await service.untilDone((system) => sendBatch(system, token, batch));
      const due = (n + 1) / every;
      if (!Number.isInteger(due) || due > kills) return;
      await killing;
      killing = service.killSoon((n + 1) * BATCH);
    });
    await killing;
    const events = batches * BATCH;
    await untilCounted(service.now(), events);
    const alerts = await untilAlerted(service.now(), batches * failingOf(stream.failing));
    const took = (performance.now() - sent.started) / 1000;
    const found = await findAll(service.now());
    const ok = found.lines === events && found.different === events && service.kills.length === kills;
    const unfinished = service.kills.filter((isBusy) => isBusy).length;
    return {
      title: 'Events while the service is killed: each is found once',
      rows: [
        {
          operation: `${perSecond} events a second`,
          sent: events,
          kills: service.kills.length,
          'with work open': unfinished,
          found: found.lines,
          different: found.different,
          alerts,
          seconds: Math.round(took * 10) / 10,
          ok,
        },
      ],
      ok,
    };
  } finally {
    await service.now().stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A service that starts again after each kill, with its data on disk. */
async function startService(directory: string) {
  const start = () => startSystem({ BENCH_DIRECTORY: directory });
  let system = await start();
  const kills: boolean[] = [];
  return {
    now: () => system,
    /** For each kill whether events were acknowledged then and not yet counted. */
    kills,
    async killSoon(acknowledged: number): Promise<void> {
      await sleep(random() * MAX_WAIT_MS);
      kills.push((await countedEvents(system)) < acknowledged);
      await system.kill();
      system = await start();
    },
    async untilDone(work: (system: System) => Promise<unknown>): Promise<void> {
      for (;;) {
        try {
          await work(system);
          return;
        } catch (error) {
          // no answer: the collector cannot know whether the service died before or after it took the batch
          if (!(error instanceof TypeError)) throw error;
          await sleep(100);
        }
      }
    },
  };
}

/** Reads all events page by page. @returns the number of events, and of different events */
async function findAll(system: System): Promise<{ lines: number; different: number }> {
  const names = new Set<string>();
  let [lines, cursor] = [0, ''];
  for (let isComplete = false; !isComplete; ) {
    const answer = await send(system, 'GET', `/api/v1/siem/events?limit=500${cursor}`);
    const data = answer.data as { message: string }[];
    lines += data.length;
    for (const { message } of data) names.add(/unique-\S+/.exec(message)?.[0] ?? message);
    isComplete = answer.isComplete === true;
    cursor = `&cursor=${encodeURIComponent(String(answer.cursor))}`;
  }
  return { lines, different: names.size };
}
