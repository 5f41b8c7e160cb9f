import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { absent } from '../reference-machine/absent.ts';
import { openIdentity, replaceFile } from '../reference-machine/identity.ts';
import { type Installation, type Kind, linkOnce } from '../reference-machine/link.ts';
import { pause, repeat } from '../reference-machine/repeat.ts';
import { openService, type Service } from '../reference-machine/service.ts';
import { Action, type Outcome, type Programs, take } from './actions.ts';
import { sendDropped } from './drop.ts';

type IntegratorOptions = Installation & { stateDirectory: string; drop: string | undefined; programs: Programs };

const version = '1.0.0';
const kind: Kind = { name: 'integrator', path: '/api/v1/integrator_communication/link', version, about: {} };

/** Actions that began and whose outcome the service has not confirmed; null: no outcome yet. */
const State = z.record(z.string(), z.unknown());

const NewTasks = z.object({ tasks: z.array(Action), pollAfterSeconds: z.number() });

/** So often the directory is looked into. */
const LOOK_SECONDS = 5;
const AT_ONCE = 4;

type Loop = {
  service: Service;
  programs: Programs;
  file: string;
  state: Record<string, unknown>;
  saved: Promise<void>;
};

/**
 * Links once, then sends the files of a directory and takes response actions until `stopping` is aborted.
 * @throws Refused with status 401 when the integrator was removed or its credential revoked
 */
export async function runIntegrator(options: IntegratorOptions, stopping: AbortSignal): Promise<void> {
  const { url, stateDirectory, drop, programs } = options;
  const identity = openIdentity(join(stateDirectory, 'integrator.json'));
  const linked = await linkOnce({ installation: options, kind, identity }, stopping);
  if (!linked) return;
  const service = openService(url, () => linked);
  const file = join(stateDirectory, 'actions.json');
  const loop: Loop = { service, programs, file, state: await current(file), saved: Promise.resolve() };
  console.log(`integrator ${linked.id} works for ${url}`);
  const ending = new AbortController();
  const until = AbortSignal.any([stopping, ending.signal]);
  const sending = drop === undefined ? undefined : repeat(() => look(service, drop, until), until);
  try {
    await repeat(() => poll(loop, until), until);
  } finally {
    ending.abort();
    await sending;
  }
  console.log('stopped');
}

/** An action that was going on when the program ended may have been done: it is reported as failed and never taken again. */
async function current(file: string): Promise<Loop['state']> {
  const text = await readFile(file, 'utf8').catch(absent);
  const state = State.parse(text === undefined ? {} : JSON.parse(text));
  const error = {
    code: 'interrupted',
    message: 'The integrator ended while the action went on: look whether it was done.',
  };
  return Object.fromEntries(
    Object.entries(state).map(([taskId, outcome]) => [taskId, outcome ?? { taskId, outcome: 'failed', error }]),
  );
}

async function look(service: Service, drop: string, until: AbortSignal): Promise<void> {
  await sendDropped(service, drop, until);
  await pause(LOOK_SECONDS, until);
}

async function poll(loop: Loop, until: AbortSignal): Promise<void> {
  await report(loop, until);
  const running = Object.entries(loop.state).flatMap(([taskId, outcome]) => (outcome === null ? [{ taskId }] : []));
  const capabilities = Object.entries(loop.programs).map(([action, { targetTypes }]) => ({ action, targetTypes }));
  const body = { version, capabilities, running, capacity: Math.max(0, AT_ONCE - running.length) };
  const path = '/api/v1/integrator_communication/new_tasks';
  const { tasks, pollAfterSeconds } = NewTasks.parse(await loop.service.post(path, body, until));
  for (const action of tasks) void begin(loop, action, until).catch(say);
  const isBusy = running.length + tasks.length > 0;
  await pause(isBusy ? Math.min(pollAfterSeconds, LOOK_SECONDS) : pollAfterSeconds, until);
}

const say = (error: unknown): void => console.error(error instanceof Error ? error.message : error);

/** Noted before it begins, and with its outcome before that is reported: a crash takes no action twice. */
async function begin(loop: Loop, action: Action, until: AbortSignal): Promise<void> {
  await note(loop, action.id, null);
  await note(loop, action.id, await take(action, loop.programs));
  // the next poll reports it where this fails
  await report(loop, until).catch(say);
}

function note(loop: Loop, taskId: string, outcome: Outcome | null): Promise<void> {
  loop.state[taskId] = outcome;
  return save(loop);
}

/** Writes of one file are made one after the other. */
function save(loop: Loop): Promise<void> {
  loop.saved = loop.saved.then(() => replaceFile(loop.file, loop.state));
  return loop.saved;
}

async function report(loop: Loop, until: AbortSignal): Promise<void> {
  const results = Object.values(loop.state).filter((outcome) => outcome !== null);
  if (results.length === 0) return;
  await loop.service.post('/api/v1/integrator_communication/completed_tasks', { results }, until);
  // a refused outcome is dropped: the service would refuse it again
  for (const { taskId } of results as Outcome[]) delete loop.state[taskId];
  await save(loop);
}
