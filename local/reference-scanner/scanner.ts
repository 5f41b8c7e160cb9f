import { rm } from 'node:fs/promises';
import type * as z from 'zod';
import { linkOnce } from '../reference-machine/link.ts';
import { pause, repeat } from '../reference-machine/repeat.ts';
import { openService, type Service } from '../reference-machine/service.ts';
import { NewTasks } from './answers.ts';
import { type Installation, scannerKind, version } from './link.ts';
import { type Resolver, resolveHere } from './reach.ts';
import { runChecked } from './run-checked.ts';
import { runOnFiles } from './run-on-files.ts';
import type { ToolRun } from './run-tool.ts';
import { sendResults } from './send-results.ts';
import { openState, type State } from './state.ts';
import type { Tool } from './tools.ts';

type ScannerOptions = Installation & {
  stateDirectory: string;
  /** The longest pause between polls, even if the service asks for more; useful to watch the scanner work. */
  longestPauseSeconds?: number;
  /** Resolves names; default: this machine's resolver. */
  resolve?: Resolver;
};

type Task = z.infer<typeof NewTasks>['tasks'][number];
type Running = { stop: AbortController; done: Promise<void> };
type Loop = {
  options: ScannerOptions;
  state: State;
  service: Service;
  running: Map<string, Running>;
  /** The last message of the service about an upgrade. */
  upgrade?: string;
};

const lastSendingMs = 10_000;

/**
 * Links once, then polls, scans and reports until `stopping` is aborted.
 * @throws Refused with status 401 when the scanner was removed or its credential revoked
 */
export async function runScanner(options: ScannerOptions, stopping: AbortSignal): Promise<void> {
  const state = await openState(options.stateDirectory);
  const linking = { installation: options, kind: scannerKind(options), identity: state };
  const linked = await linkOnce(linking, stopping);
  if (!linked) return;
  const service = openService(options.url, () => linked);
  const running: Loop['running'] = new Map();
  const types = options.tools.map(({ taskType }) => taskType).join(', ');
  console.log(`scanner ${linked.id} polls ${options.url}; it can do ${types}`);
  try {
    const loop: Loop = { options, state, service, running };
    await repeat(() => poll(loop, stopping), stopping);
  } finally {
    for (const { stop } of running.values()) stop.abort();
    await Promise.all([...running.values()].map(({ done }) => done));
  }
  await sendResults(service, state, AbortSignal.timeout(lastSendingMs)).catch(() =>
    console.error('the service cannot be reached; finished results are kept for the next start'),
  );
  console.log('stopped; nothing is left running');
}

async function poll(loop: Loop, stopping: AbortSignal): Promise<void> {
  const { options, state, service, running } = loop;
  await sendResults(service, state, stopping);
  // Unsent results still belong to this scanner.
  const unsent = await state.results();
  const held = new Set([...running.keys(), ...unsent.map(({ taskId }) => taskId)]);
  const body = {
    capacity: Math.max(0, options.capacity - running.size),
    version,
    running: [...held].map((taskId) => ({ taskId, progress: 0 })),
  };
  const answer = await service.post('/api/v1/scanner_communication/new_tasks', body, stopping);
  const { tasks, cancel, lost, pollAfterSeconds, upgrade } = NewTasks.parse(answer);
  if (upgrade && upgrade.message !== loop.upgrade) console.error(upgrade.message);
  loop.upgrade = upgrade?.message;
  for (const { taskId } of cancel) running.get(taskId)?.stop.abort();
  for (const taskId of lost) running.get(taskId)?.stop.abort('lost');
  for (const pending of unsent.filter(({ taskId }) => lost.includes(taskId))) await state.forgetResult(pending);
  for (const task of tasks) running.set(task.id, begin(loop, task));
  const seconds = Math.min(pollAfterSeconds, options.longestPauseSeconds ?? pollAfterSeconds);
  await pauseUnlessDone(seconds, [...running.values()], stopping);
}

/** Waits for the time that the service asked for, or until a task ends and its result can be sent. */
async function pauseUnlessDone(seconds: number, running: Running[], signal: AbortSignal): Promise<void> {
  const timer = new AbortController();
  const until = AbortSignal.any([signal, timer.signal]);
  await Promise.race([pause(seconds, until), ...running.map(({ done }) => done)]);
  timer.abort();
}

/** A task that returns while its lost run is still stopping waits until that run has stopped. */
function begin(loop: Loop, task: Task): Running {
  const { running } = loop;
  const earlier = running.get(task.id)?.done;
  const stop = new AbortController();
  console.log(`task ${task.id}: ${task.type} of ${task.target.value}`);
  const work = async () => {
    await earlier;
    await scan(loop, task, stop.signal);
  };
  const done = work()
    .catch((error) => console.error(`task ${task.id}:`, error))
    .finally(() => {
      if (running.get(task.id)?.stop === stop) running.delete(task.id);
    });
  return { stop, done };
}

async function scan(loop: Loop, task: Task, stop: AbortSignal): Promise<void> {
  const { options, state } = loop;
  const able = options.tools.filter(({ taskType }) => taskType === task.type);
  // tools for files run one after the other; of others the first does the task
  const tools = able[0]?.checkout ? able.filter(({ checkout }) => checkout) : able.slice(0, 1);
  const startedAt = new Date().toISOString();
  const { outcome, error } = await runTools(loop, { task, tools }, stop);
  const reports = tools.map(({ format }, n) => ({ file: state.reportFile(task.id, n), format }));
  const isLost = stop.reason === 'lost'; // another scanner has the task now
  const isWanted = outcome === 'completed' && !isLost;
  if (!isWanted) for (const { file } of reports) await rm(file, { force: true });
  if (isLost) return;
  const result = { taskId: task.id, outcome, startedAt, finishedAt: new Date().toISOString(), error };
  await state.keepResult({ taskId: task.id, result, reports: isWanted ? reports : [] });
}

type Chosen = { task: Task; tools: readonly Tool[] };

async function runTools({ options, state, service }: Loop, { task, tools }: Chosen, stop: AbortSignal) {
  const [tool] = tools;
  const { resolve = resolveHere } = options;
  if (!tool) return unable(task);
  if (!tool.checkout) return runChecked(tool, { task, reportFile: state.reportFile(task.id), resolve }, stop);
  const directory = state.checkoutDirectory(task.id);
  const reportFile = (n: number) => state.reportFile(task.id, n);
  return runOnFiles(tools, { task, service, resolve, directory, reportFile }, stop);
}

const unable = ({ type }: Task): ToolRun => ({
  outcome: 'failed',
  error: { code: 'no_tool', message: `no tool of this scanner does ${type}` },
});
