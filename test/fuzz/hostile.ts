import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { Client, RawAnswer } from '../support/client.ts';
import { dice } from '../support/faults.ts';
import type { TestOrganization } from '../support/system.ts';
import { type Hostile, hostileInput, KINDS } from './hostile-inputs.ts';
import { MEMORY, readVolume } from './hostile-volume.ts';
import { readReports } from './reports.ts';
import { startMeasured } from './system.ts';
import { oneOf } from './values.ts';

/**
 * `npm run fuzz -- --hostile`: inputs that are made to hurt. A process with 512 MB reads `--inputs` of them: none ends it, fails
 * inside of the service or takes more than 2 s of processor time. A service with the same memory gets `--requests` of them from one
 * organization, while another one asks for its findings.
 */
const { FUZZ_INPUTS = '100000', FUZZ_REQUESTS = '2000', FUZZ_SEED = `${Date.now() % 1_000_000}` } = process.env;
const [inputs, requests, seed] = [Number(FUZZ_INPUTS), Number(FUZZ_REQUESTS), Number(FUZZ_SEED)];
const AT_ONCE = 4;
const MAX_WAIT_MS = 200;
/** So long the other organization asks before the first hostile request: a busy machine shows in what it waits then. */
const CALM_MS = 5_000;
/** Between two requests of the other organization. */
const PAUSE_MS = 50;
const IMPORT_SECONDS = 20;

const reports = readReports(undefined);

test(
  `${inputs} hostile inputs end no worker, fail inside of none and are read in 2 s of processor time (seed ${seed})`,
  async () => {
    const { faults, ...figures } = await readVolume(seed, inputs, console.log);
    console.log(`${inputs} inputs, ${faults.length} faults, seed ${seed}: ${JSON.stringify(figures)}`);
    expect(faults).toEqual([]);
  },
  Math.max(300_000, inputs * 100),
);

type Attackers = { admin: Client; viewer: Client; collector: Client; anyone: Client };

/** The request that carries an input. */
function sendTo({ admin, viewer, collector, anyone }: Attackers, input: Hostile, n: number): Promise<RawAnswer> {
  if (input.kind === 'condition') {
    const body = { name: `x${n}`, tags: ['x'], condition: input.condition };
    return viewer.send('POST', '/api/v1/asset-tag-rules/preview', { body });
  }
  if (input.kind === 'rule') {
    const { content, events } = input;
    return viewer.send('POST', '/api/v1/detection/rules/test', { body: { content, events } });
  }
  if (input.kind === 'webhook') {
    const body = new Uint8Array(input.bytes);
    const headers = {
      'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
      'x-github-event': 'push',
      'x-github-delivery': `${n}`,
    };
    return anyone.send('POST', `/api/v1/webhooks/${oneOf(dice(n), SENDERS)}`, { body, headers });
  }
  const content = input.bytes.toString('base64');
  const sent = { content, encoding: 'base64', format: input.format };
  if (input.kind === 'events') {
    const body = { ...sent, batchId: `${seed}-${n}`, source: 'hostile' };
    return collector.send('POST', '/api/v1/collector_communication/events', { body });
  }
  return admin.send('POST', '/api/v1/findings/import', { body: { ...sent, target: 'https://shop.example.com' } });
}

const SENDERS = ['codehost_a', 'codehost_b', 'ticketing', 'billingprocessor'];

/** Asks for findings until the signal comes. @returns the milliseconds that the answers took, in their order */
async function askAgain({ admin }: TestOrganization, signal: AbortSignal): Promise<number[]> {
  const took: number[] = [];
  while (!signal.aborted) {
    const before = performance.now();
    await admin.ok('listFindings');
    took.push(performance.now() - before);
    await sleep(PAUSE_MS);
  }
  return took.toSorted((a, b) => a - b);
}

const late = (took: readonly number[]): number => took[Math.floor(took.length * 0.99)] ?? 0;

const importOne = ({ admin }: TestOrganization) => {
  const [report] = reports.filter(({ format }) => format === 'semgrep');
  const content = report?.content.toString() ?? '';
  return admin.ok('importFindings', { query: { waitSeconds: IMPORT_SECONDS }, body: { format: 'semgrep', content } });
};

test(
  `${requests} hostile requests of one organization do not delay another one (seed ${seed})`,
  async () => {
    const { system, ended, stop } = await startMeasured(MEMORY);
    afterAll(stop);
    const [organization, other] = [await system.newOrganization(), await system.newOrganization()];
    const attackers: Attackers = {
      admin: organization.admin,
      viewer: await organization.withRole('viewer'),
      collector: (await organization.machine('collector')).client,
      anyone: system.client(),
    };
    await importOne(other);
    const calm = late(await askAgain(other, AbortSignal.timeout(CALM_MS)));
    const done = new AbortController();
    const asking = askAgain(other, done.signal);
    const answers: Record<string, number> = {};
    const failed: string[] = [];
    let next = 0;
    const attack = async () => {
      while (next < requests) {
        const n = next++;
        const random = dice(seed * 1_000_003 + n);
        const input = hostileInput(random, reports, KINDS[n % KINDS.length]);
        const { status, body } = await sendTo(attackers, input, n);
        answers[`${input.kind} ${status}`] = (answers[`${input.kind} ${status}`] ?? 0) + 1;
        if (status === 500) failed.push(`request ${n} of seed ${seed}, ${input.kind}: ${JSON.stringify(body)}`);
      }
    };
    const isAlive = await Promise.race([
      Promise.all(Array.from({ length: AT_ONCE }, attack)).then(() => true),
      ended.then(() => false),
    ]);
    expect(isAlive, `the service died at request ${next} of seed ${seed}`).toBe(true);
    const { task } = await importOne(other);
    done.abort();
    const took = await asking;
    const most = late(took);
    const waited = `the other organization waited ${most.toFixed(0)} ms at the 99th percentile, before ${calm.toFixed(0)} ms`;
    console.log(`${requests} requests: ${JSON.stringify(answers)}; ${waited}`);
    expect(failed).toEqual([]);
    expect(task?.status, 'an import of the other organization, after the requests').toBe('succeeded');
    expect(most).toBeLessThan(MAX_WAIT_MS);
  },
  Math.max(600_000, requests * 1_000),
);
