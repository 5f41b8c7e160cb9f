import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consolePages } from '#local/console.ts';
import { type LocalKeys, localKeys } from '#local/credentials.ts';
import { ownerLink } from '#local/owner.ts';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import type { Settings } from '#shared/platform/runtime/env.ts';
import { attachMeter, type Usage } from '../meter.ts';

/** The message of the measured process to the measuring one, sent at the start and on request. */
export type Ready = {
  baseUrl: string;
  apiKey: string;
  /** The administrator's. */
  clientId: string;
  clientSecret: string;
  organizationId: string;
  /** Signs in to the console, once; with `BENCH_CONSOLE` alone. */
  consoleLink?: string;
  settings: Settings & LocalKeys;
};
export type Measured = Usage & { megabytes: number; processorSeconds: number };

/**
 * The whole local system in a process of its own, on disk, or in memory with an engine of the caller. `BENCH_DIRECTORY`
 * has the data of a system that a bench kills: the data stay, with the credentials of the first start.
 */
const kept = process.env.BENCH_DIRECTORY;
const directory = kept ?? mkdtempSync(join(tmpdir(), 'exposure-ingest-'));
const inMemory = process.env.DYNAMODB_ENDPOINT !== undefined;
const hasConsole = process.env.BENCH_CONSOLE !== undefined;
const system = await startLocalSystem({
  port: 0,
  ...(!inMemory && { dataDir: directory }),
  ...(hasConsole && { pages: consolePages() }),
  workersBeside: process.env.BENCH_WORKERS_BESIDE !== undefined,
});
const readyFile = join(directory, 'bench-ready.json');
const earlier = existsSync(readyFile) ? JSON.parse(readFileSync(readyFile, 'utf8')) : undefined;
const { linkToken: _linkToken, ...credentials } = await bootstrap(system.connections, earlier);
const meter = attachMeter(system.connections.dynamo);
/**
 * The highest memory of this process. `maxRSS` begins at the value of the process that started this one (getrusage(2),
 * proc(5)); VmHWM does not.
 */
function mostMegabytes(): number {
  const { maxRSS } = process.resourceUsage();
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? maxRSS) / 1024);
}

let ended: (() => void) | undefined;
let usage = meter.measure(() => new Promise<void>((end) => (ended = end)));

process.on('message', async () => {
  ended?.();
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const processorSeconds = (userCPUTime + systemCPUTime) / 1e6;
  const measured: Measured = { ...(await usage), megabytes: mostMegabytes(), processorSeconds };
  usage = meter.measure(() => new Promise<void>((end) => (ended = end)));
  process.send?.(measured);
});
process.once('disconnect', async () => {
  await system.stop();
  if (!kept) rmSync(directory, { recursive: true, force: true });
  process.exit(0);
});
const settings = { ...system.connections.settings, ...localKeys };
const { baseUrl } = system;
const consoleLink = hasConsole ? await ownerLink(system, credentials.organizationId) : '';
const ready: Ready = { baseUrl, ...credentials, ...(hasConsole && { consoleLink }), settings };
writeFileSync(readyFile, JSON.stringify(credentials));
process.send?.(ready);
