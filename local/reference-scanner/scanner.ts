import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import { CompletedTasks, LinkAnswer, NewTasks } from '#local/reference-scanner/answers.ts';
import { runTool } from '#local/reference-scanner/run-tool.ts';
import { reportOf } from '#local/reference-scanner/send-report.ts';
import { openService, Refused, type Service } from '#local/reference-scanner/service.ts';
import { Linked, openState, type Pending, type State } from '#local/reference-scanner/state.ts';
import type { Tool } from '#local/reference-scanner/tools.ts';

export type ScannerOptions = {
  url: string;
  linkToken?: string;
  stateDirectory: string;
  name?: string;
  zone?: string;
  capacity: number;
  tools: readonly Tool[];
};

type Task = z.infer<typeof NewTasks>['tasks'][number];
type Running = { stop: AbortController; startedAt: string; done: Promise<void> };

export const version = '1.0.0';

/** Links once, then polls, scans and reports until `stopping` is aborted. */
export async function runScanner(options: ScannerOptions, stopping: AbortSignal): Promise<void> {
  const state = await openState(options.stateDirectory);
  const linked = await link(options, state, stopping);
  const service = openService(options.url, () => linked);
  const running = new Map<string, Running>();
  console.log(
    `scanner ${linked.id} polls ${options.url}; it can do ${options.tools.map(({ taskType }) => taskType).join(', ')}`,
  );
  try {
    while (!stopping.aborted) await pollOnce({ options, state, service, running }, stopping);
  } catch (error) {
    if (!stopping.aborted) throw error;
  }
  for (const { stop } of running.values()) stop.abort();
  await Promise.all([...running.values()].map(({ done }) => done));
  await sendResults(service, state, AbortSignal.timeout(10_000));
  console.log('stopped; nothing is left running');
}

/** The installation keeps its instance id from before the first try, so that linking again makes no second scanner. */
async function link(
  { url, linkToken, name, zone, tools, capacity }: ScannerOptions,
  state: State,
  signal: AbortSignal,
): Promise<Linked> {
  const known = await state.read();
  const earlier = Linked.safeParse(known);
  if (earlier.success) return earlier.data;
  if (!linkToken) throw new Error('this scanner is not linked yet: give --link-token');
  const instanceId = known.instanceId ?? randomUUID();
  await state.write({ instanceId });
  const answer = await openService(url).post(
    '/api/v1/scanner_communication/link',
    {
      linkToken,
      instanceId,
      name: name ?? hostname(),
      version,
      platform: `${process.platform}-${process.arch}`,
      hostname: hostname(),
      zone,
      capacity,
      taskTypes: [...new Set(tools.map(({ taskType }) => taskType))],
      tools: tools.map((tool) => ({ name: tool.name, formats: [tool.format] })),
    },
    signal,
  );
  const linked = { ...LinkAnswer.parse(answer), instanceId };
  await state.write(linked);
  return linked;
}

type Loop = { options: ScannerOptions; state: State; service: Service; running: Map<string, Running> };

async function pollOnce(loop: Loop, stopping: AbortSignal): Promise<void> {
  const { options, state, service, running } = loop;
  await sendResults(service, state, stopping);
  const answer = await service.post(
    '/api/v1/scanner_communication/new_tasks',
    {
      capacity: options.capacity - running.size,
      version,
      running: [...running.keys()].map((taskId) => ({ taskId, progress: 0 })),
    },
    stopping,
  );
  const { tasks, cancel, lost, pollAfterSeconds } = NewTasks.parse(answer);
  for (const { taskId } of cancel) running.get(taskId)?.stop.abort();
  for (const taskId of lost) running.get(taskId)?.stop.abort('lost');
  for (const task of tasks) running.set(task.id, begin(loop, task));
  await pause(pollAfterSeconds, [...running.values()], stopping);
}

/** Waits as long as the service told, or until a task ends and its result can be sent. */
async function pause(seconds: number, running: Running[], signal: AbortSignal): Promise<void> {
  const timer = new AbortController();
  const until = AbortSignal.any([signal, timer.signal]);
  await Promise.race([
    sleep(seconds * 1000, undefined, { signal: until }).catch(() => undefined),
    ...running.map(({ done }) => done),
  ]);
  timer.abort();
}

function begin({ options, state, running }: Loop, task: Task): Running {
  const stop = new AbortController();
  const startedAt = new Date().toISOString();
  console.log(`task ${task.id}: ${task.type} of ${task.target.value}`);
  const done = scan(options, state, { task, startedAt, stop: stop.signal })
    .catch((error) => console.error(`task ${task.id}:`, error))
    .finally(() => running.delete(task.id));
  return { stop, startedAt, done };
}

async function scan(
  { tools }: ScannerOptions,
  state: State,
  { task, startedAt, stop }: { task: Task; startedAt: string; stop: AbortSignal },
) {
  const tool = tools.find(({ taskType }) => taskType === task.type);
  const work = { target: task.target.value, parameters: task.parameters, reportFile: state.reportFile(task.id) };
  const missing = { code: 'no_tool', message: `no tool of this scanner does ${task.type}` };
  const run = tool ? await runTool(tool, work, stop) : { outcome: 'failed', error: missing };
  if (stop.reason === 'lost') return; // another scanner has the task now
  const { outcome, error } = run;
  const result = { taskId: task.id, outcome, startedAt, finishedAt: new Date().toISOString(), error };
  const report = outcome === 'completed' && tool ? { file: work.reportFile, format: tool.format } : undefined;
  await state.keepResult({ taskId: task.id, result, report });
}

/** Sends what is finished. What the service refuses for good is said and forgotten; the rest stays for the next time. */
async function sendResults(service: Service, state: State, signal: AbortSignal): Promise<void> {
  for (const pending of await state.results()) {
    try {
      await sendResult(service, pending, signal);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      console.error(`task ${pending.taskId}: its result was refused: ${error.message}`);
    }
    await state.forgetResult(pending);
  }
}

async function sendResult(service: Service, { taskId, result, report }: Pending, signal: AbortSignal): Promise<void> {
  const reports = report ? [await reportOf(service, report)] : [];
  const answer = await service.post(
    '/api/v1/scanner_communication/completed_tasks',
    { results: [{ ...result, reports }] },
    signal,
  );
  for (const item of CompletedTasks.parse(answer).results)
    console.log(
      `task ${taskId}: ${item.accepted ? `${result.outcome}, sent` : `not taken: ${item.code} ${item.message ?? ''}`}`,
    );
}
