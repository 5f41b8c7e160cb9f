import type * as z from 'zod';
import { linkOnce } from '../reference-machine/link.ts';
import { pause, repeat } from '../reference-machine/repeat.ts';
import { openService, type Service } from '../reference-machine/service.ts';
import { CompletedTasks } from '../reference-scanner/answers.ts';
import { openState, type State } from '../reference-scanner/state.ts';
import { type ApexTask, NewTasks, SessionAnswer } from './answers.ts';
import { assess, type Running } from './assess.ts';
import { applianceKind, type Installation, version } from './link.ts';

type ApplianceOptions = Installation & { stateDirectory: string };

type Loop = {
  options: ApplianceOptions;
  state: State;
  service: Service;
  running: Map<string, Running>;
  sessionId?: string;
  /** Set when a task began or ended, so that the session reports it at once. */
  wake: AbortController;
};

const base = '/api/v1/apex_communication';

/**
 * Links once, then polls, works and reports, and holds a session, until `stopping` is aborted.
 * @throws Refused with status 401 when the appliance was removed or its credential revoked
 */
export async function runAppliance(options: ApplianceOptions, stopping: AbortSignal): Promise<void> {
  const state = await openState(options.stateDirectory);
  const linking = { installation: options, kind: applianceKind(options), identity: state };
  const linked = await linkOnce(linking, stopping);
  if (!linked) return;
  const service = openService(options.url, () => linked);
  const loop: Loop = { options, state, service, running: new Map(), wake: new AbortController() };
  console.log(`appliance ${linked.id} polls ${options.url}`);
  const ending = new AbortController();
  const until = AbortSignal.any([stopping, ending.signal]);
  const session = repeat(() => holdSession(loop, until), until).catch(() => ending.abort());
  try {
    await repeat(() => poll(loop, until), until);
  } finally {
    ending.abort();
    for (const { stop } of loop.running.values()) stop.abort();
    await Promise.all([session, ...[...loop.running.values()].map(({ done }) => done)]);
  }
  console.log('stopped; finished results that were not sent are kept for the next start');
}

const runningNow = ({ running }: Loop) =>
  [...running.values()].map(({ task, progress, step }) => ({ taskId: task.id, progress, step }));

async function poll(loop: Loop, until: AbortSignal): Promise<void> {
  const { options, service, running, state } = loop;
  await sendResults(loop, until);
  const unsent = (await state.results()).map(({ taskId }) => ({ taskId, progress: 1 }));
  const body = {
    capacity: Math.max(0, options.capacity - running.size),
    version,
    running: [...runningNow(loop), ...unsent],
  };
  const { tasks, cancel, lost, pollAfterSeconds } = NewTasks.parse(
    await service.post(`${base}/new_tasks`, body, until),
  );
  for (const { taskId } of cancel) running.get(taskId)?.stop.abort();
  await drop(loop, lost);
  for (const task of tasks) begin(loop, task);
  const ended = [...running.values()].map(({ done }) => done);
  const timer = new AbortController();
  await Promise.race([pause(pollAfterSeconds, AbortSignal.any([until, timer.signal])), ...ended]);
  timer.abort();
}

/** Stops the tasks that another appliance has now. */
async function drop({ running, state }: Loop, lost: readonly string[]): Promise<void> {
  for (const taskId of lost) running.get(taskId)?.stop.abort('lost');
  for (const pending of await state.results()) if (lost.includes(pending.taskId)) await state.forgetResult(pending);
}

function begin(loop: Loop, task: ApexTask): void {
  const { running, service, state } = loop;
  console.log(`task ${task.id}: ${task.type}`);
  const startedAt = new Date().toISOString();
  const one: Running = {
    task,
    stop: new AbortController(),
    isPaused: false,
    progress: 0,
    step: 'starting',
    done: Promise.resolve(),
  };
  const work = async () => {
    const result = await assess(service, one);
    if (one.stop.signal.reason === 'lost') return;
    const finishedAt = new Date().toISOString();
    const told = { taskId: task.id, startedAt, finishedAt, ...result };
    await state.keepResult({ taskId: task.id, result: told, reports: [] });
  };
  one.done = work()
    .catch((error) => console.error(`task ${task.id}:`, error))
    .finally(() => {
      running.delete(task.id);
      loop.wake.abort();
    });
  running.set(task.id, one);
  loop.wake.abort();
}

/** Deletes the results that the service has accepted or refused; unsent results stay for the next time. */
async function sendResults({ service, state }: Loop, signal: AbortSignal): Promise<void> {
  for (const pending of await state.results()) {
    const answer = await service.post(`${base}/completed_tasks`, { results: [pending.result] }, signal);
    const [item] = CompletedTasks.parse(answer).results;
    console.log(`task ${pending.taskId}: ${item?.accepted ? 'sent' : `refused: ${item?.message}`}`);
    await state.forgetResult(pending);
  }
}

/** Sends one update of the session and obeys the commands in the answer. */
async function holdSession(loop: Loop, until: AbortSignal): Promise<void> {
  const { service, running, sessionId } = loop;
  loop.wake = new AbortController();
  const state = running.size > 0 ? 'busy' : 'idle';
  const body = { sessionId, state, version, running: runningNow(loop) };
  const answer = SessionAnswer.parse(await service.post(`${base}/session`, body, until));
  loop.sessionId = answer.sessionId;
  obey(running, answer.commands);
  await drop(loop, answer.lost);
  await pause(answer.nextUpdateSeconds, AbortSignal.any([until, loop.wake.signal]));
}

type Commands = z.infer<typeof SessionAnswer>['commands'];

/**
 * The service repeats a command until it has no more effect, and obeying twice changes nothing. A task is paused only
 * while the service repeats `pause`: the appliance may have missed a `resume` while it could not reach the service.
 */
export function obey(running: ReadonlyMap<string, Running>, commands: Commands): void {
  for (const [id, one] of running)
    one.isPaused = commands.some(({ type, taskId }) => type === 'pause' && taskId === id);
  for (const { type, taskId, reason } of commands) {
    const one = running.get(taskId ?? '');
    if (type === 'cancel' || type === 'deny') one?.stop.abort();
    else if (!one) console.log(`the service asks for ${type}: ${reason}`);
  }
}
