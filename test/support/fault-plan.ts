import { setTimeout as sleep } from 'node:timers/promises';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { deliveries, jobs, queueName } from '#shared/platform/jobs/jobs.ts';
import { type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { makeVictim } from '../functions/workers/imports/crash.ts';
import { type Message, redriven, startWorld } from '../functions/workers/imports/world.ts';
import { dice, type Faults, injectFaults } from './faults.ts';
import { runs } from './tier.ts';

/** `npm run test:faults -- 200` asks for more plans, or for one by its seed. The deep tier does not repeat the plan of `npm test`. */
const { FAULT_PLANS = String(runs(1, 2)), FAULT_SEED = '', FAULT_FROM = '1', FAULT_EVENTS = '' } = process.env;
const FIRST_SEED = process.env.FAULT_PLANS ? Number(FAULT_FROM) : runs(1, 2);
export const seeds = FAULT_SEED
  ? [Number(FAULT_SEED)]
  : Array.from({ length: Number(FAULT_PLANS) }, (_, n) => FIRST_SEED + n);

/** The seeds of a cheap plan: one with each change, `full` by `npm run test:deep`. */
export const plansOf = (full: number): number[] =>
  FAULT_SEED || process.env.FAULT_PLANS ? seeds : Array.from({ length: runs(1, full) }, (_, n) => 1 + n);

/** How many steps a plan has whose events are to come in any order: `FAULT_EVENTS=1000` asks for so many. */
export const stepsBetween = (minLength: number, maxLength: number) =>
  FAULT_EVENTS
    ? { minLength: Number(FAULT_EVENTS), maxLength: Number(FAULT_EVENTS), size: 'max' as const }
    : { minLength, maxLength };

/** The dice of a plan, and how often its requests fail. */
export type Plan = { random: () => number; rates: Partial<Faults> };

export function planOf(seed: number): Plan {
  const random = dice(seed);
  const rates = { conflict: random() * 0.3, single: random() * 0.3, throttle: random() * 0.1 };
  return { random, rates: { ...rates, lost: random() * 0.2, unprocessed: random() * 0.3 } };
}

export const CALM: Plan = { random: () => 1, rates: { conflict: 0, single: 0, throttle: 0, lost: 0, unprocessed: 0 } };

/** A number below `n`; 0 in calm. */
export const upTo = ({ random }: Plan, n: number): number => Math.floor(random() * n) % n;

export type FaultyWorld = Awaited<ReturnType<typeof startFaultyWorld>>;

/** The workers over real engines, where requests fail and processes are killed as often as a plan says. */
export async function startFaultyWorld() {
  const world = await startWorld();
  const { messages } = world;
  const victim = await makeVictim(world.connections);
  const tasks = new Set<string>();
  const faults: Faults = { random: () => 1, before: (_, input) => noteTasks(tasks, input) };
  injectFaults(world.connections.dynamo, faults);
  const dead: Message[] = [];
  /** Messages whose worker dies at every attempt, until they are redriven. */
  const doomed = new Set<Message>();

  /** Lets a process work that may be killed at one of its first writes. */
  async function risk<T>(plan: Plan, { kills, within }: { kills: number; within: number }, run: () => Promise<T>) {
    if (plan.random() < kills) victim.killAt(1 + upTo(plan, within), plan.random() < 0.5 ? 'before' : 'after');
    try {
      const result = await run();
      return { result, died: victim.isDead() };
    } finally {
      victim.restart();
    }
  }

  async function deliverNext(plan: Plan, kills: number): Promise<void> {
    const some = messages[upTo(plan, Math.max(1, messages.length))];
    const message = messages.find(({ group }) => group === some?.group);
    if (!message) return;
    messages.splice(messages.indexOf(message), 1);
    const job = Object.values(jobs).find((one) => queueName(one) === message.queue);
    if (job && message.received >= deliveries(job)) return void dead.push(message);
    if (plan.random() < 0.1) await sleep(upTo(plan, 20));
    if (message.received === 0 && plan.random() < kills / 6) doomed.add(message);
    const isDoomed = doomed.has(message) && message.received < (job?.attempts ?? 0);
    const danger = isDoomed ? { kills: 1, within: 3 } : { kills, within: 12 };
    const { died } = await risk(plan, danger, () => world.deliver(message));
    if (died && !messages.includes(message)) messages.unshift(message);
  }

  return {
    ...world,
    victim,
    dead,
    risk,
    /** Every task of an organization that was written. */
    async tasksOf(table: Table): Promise<TaskRow[]> {
      const mine = [...tasks].flatMap((pk) => (pk.startsWith(`${table.tenant}#task#`) ? [pk.split('#')[2] ?? ''] : []));
      return table.rows(taskRows).findMany(mine.map((id) => ({ id })));
    },
    /** From now on requests fail so often. */
    begin: (plan: Plan) => Object.assign(faults, plan.rates, { random: plan.random }),
    /** A call to the service, whose process may be killed meanwhile; undefined when it failed. */
    call: <T>(plan: Plan, run: () => Promise<T>): Promise<T | undefined> =>
      risk(plan, { kills: 0.2, within: 4 }, run).then(
        ({ result, died }) => (died ? undefined : result),
        () => undefined,
      ),
    /** Delivers a message as its queue does: after too many deliveries to the dead letters. */
    deliverNext,
    async deliverAll(plan: Plan, kills: number): Promise<void> {
      while (messages.length > 0) await deliverNext(plan, kills);
    },
    redrive: () => void messages.push(...dead.splice(0).map((message) => ({ ...message, ...redriven() }))),
  };
}

/** Works everything to its end, the messages of killed processes included. */
export async function workAll(world: FaultyWorld, plan: Plan): Promise<void> {
  world.begin(plan);
  await world.deliverAll(plan, 0.6);
  const later = nowMs() + 3 * 60_000;
  setClock(() => later);
  await redriveAll(world, plan);
}

/** Works the messages that their processes did not send, which are due by now, and the dead letters. */
export async function redriveAll(world: FaultyWorld, plan: Plan): Promise<void> {
  world.begin(CALM);
  await sweep(world.connections);
  world.begin(plan);
  world.redrive();
  await world.deliverAll(plan, 0);
  world.begin(CALM);
}

type Put = { Item?: { pk: { S: string } } };

/** Notes the keys of tasks among the rows that a request puts. */
function noteTasks(tasks: Set<string>, input: object): void {
  const { TransactItems = [], ...single } = input as Put & { TransactItems?: { Put?: Put }[] };
  for (const { Item } of [single, ...TransactItems.map(({ Put = {} }) => Put)])
    if (Item?.pk.S.includes('#task#')) tasks.add(Item.pk.S);
}
