import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { RawAnswer } from '../support/client.ts';
import { dice } from '../support/faults.ts';
import { type Operation, readDocument } from './document.ts';
import { readReports } from './reports.ts';
import { importRequest, type Request, requestTo } from './requests.ts';
import { startMeasured } from './system.ts';
import { oneOf } from './values.ts';
import { clientFor, learn, makeWorld, type World } from './world.ts';

/**
 * No request is answered as an error of the service, outside of the schema of its answer, or after more than 2 s of processor
 * time. `npm run fuzz` asks for more requests, for a seed, and for mutations of the reports in a folder.
 */
const { FUZZ_REQUESTS = '', FUZZ_SEED = `${Date.now() % 1_000_000}`, FUZZ_REPORTS, FUZZ_ONLY = '' } = process.env;
const requests = Number(FUZZ_REQUESTS);
const seed = Number(FUZZ_SEED);

/** An organization takes so many requests, until much of it is deleted, revoked or at its limits. */
const REQUESTS_OF_WORLD = 2_500;
const AT_ONCE = 6;
/** The part of requests that import a report. */
const IMPORTS = 0.06;
const MAX_MS = 2_000;

const { system, usedMs, stop } = await startMeasured();
afterAll(stop);
const document = await readDocument(system.client());
const reports = readReports(FUZZ_REPORTS);
const operations = document.operations.filter(({ name }) => name.includes(FUZZ_ONLY));
const importing = operations.find(({ name }) => name === 'importFindings');

const faults: string[] = [];
/** Tells of a fault at once: a long run may be broken off. */
const found = (fault: string) => {
  faults.push(fault);
  console.log(fault);
};
const counts: Record<string, number> = {};
const count = (name: string) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

async function worldOf(n: number, before: World | undefined): Promise<{ world: World; foreign: World }> {
  const [world, foreign] = await Promise.all([makeWorld(system), before ?? makeWorld(system)]);
  if (n > 0) console.log(`${n} requests, ${faults.length} faults, seed ${seed}: ${JSON.stringify(counts)}`);
  return { world, foreign };
}

type Sent = { operation: Operation; request: Request; send(): Promise<RawAnswer>; world: World };

async function make(n: number, { world, foreign }: { world: World; foreign: World }): Promise<Sent> {
  const random = dice(seed * 1_000_003 + n);
  const isImport = importing && random() < IMPORTS;
  const operation = isImport ? importing : oneOf(random, operations);
  const request = isImport
    ? importRequest(random, reports)
    : await requestTo(operation, { dice: random, document, world, foreign });
  const client = isImport ? world.organization.admin : await clientFor(world, random, operation);
  return { operation, request, world, send: () => client.send(operation.method, operation.path, request) };
}

/** 404, 413 and 431 come from the gateway, which knows no such path and passes on no such body or address. */
const isOfGateway = ({ status, body }: RawAnswer): boolean =>
  [404, 413, 431].includes(status) && Object.keys(Object(body)).join() === 'message';

/** Requests revoke accounts, too; a caller gets no token then. */
function refusedToken(error: Error): undefined {
  if (!error.message.startsWith('no access token')) throw error;
}

async function judge({ operation, request, send, world }: Sent): Promise<void> {
  const before = await usedMs();
  const answer = await send().catch(refusedToken);
  const took = (await usedMs()) - before;
  if (!answer) return count('a caller whose account is revoked');
  const { status, body } = answer;
  count(`${status}${status === 200 || isOfGateway(answer) ? '' : ` ${Object(body).code}`}`);
  if (isOfGateway(answer)) return;
  const told = (what: string) =>
    `${what}\n  ${operation.name} ${JSON.stringify(request).slice(0, 3_000)}\n  ${status} ${JSON.stringify(body).slice(0, 600)}`;
  const code = Object(Object(Object(body).task).error).code;
  if (status === 500 || code === 'internal_error') found(told('an internal error'));
  const difference = operation.judge(answer);
  if (difference) found(told(`outside of its schema: ${difference}`));
  if (took > MAX_MS) slow.push({ operation, request, send, world });
  learn(world, operation, body);
}

/** Others ran at the same time: those that took long are sent again when all is quiet. */
const slow: Sent[] = [];

const WINDOW_MS = 1_000;
/** The processor time of a service that waits: its timers and looks into queues. */
const IDLE_MS = 100;

/** Waits until the service has no work of others left, such as imports and views; a minute at most. */
async function quiet(): Promise<void> {
  for (let n = 0; n < 60; n++) {
    const before = await usedMs();
    await sleep(WINDOW_MS);
    if ((await usedMs()) - before < IDLE_MS) return;
  }
}

async function judgeSlow(): Promise<void> {
  for (const { operation, request, send } of slow.splice(0)) {
    await quiet();
    const before = await usedMs();
    await send();
    const took = (await usedMs()) - before;
    count('sent again to measure');
    if (took > MAX_MS)
      found(`${took.toFixed(0)} ms of processor time\n  ${operation.name} ${JSON.stringify(request).slice(0, 3_000)}`);
  }
}

test(
  `${requests} requests find no internal error, no answer outside its schema and none that is slow (seed ${seed})`,
  async () => {
    let worlds = await worldOf(0, undefined);
    let next = 0;
    while (next < requests) {
      const end = Math.min(requests, next + REQUESTS_OF_WORLD);
      const work = async () => {
        while (next < end) await judge(await make(next++, worlds));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      await judgeSlow();
      if (next < requests) worlds = await worldOf(next, worlds.world);
    }
    console.log(`${requests} requests, ${faults.length} faults, seed ${seed}: ${JSON.stringify(counts)}`);
    expect(faults, `seed ${seed}`).toEqual([]);
  },
  Math.max(300_000, requests * 200),
);
