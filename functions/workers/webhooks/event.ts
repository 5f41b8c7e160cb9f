import type { Hosted } from '#shared/code/sync/keep-repository.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import type { JsonObject } from '#shared/reports/readers/json.ts';

/** A delivery in work. */
export type HostEvent = { event: string; body: JsonObject; hosted: Hosted; task: Work['task'] };

/** The effects of a delivery by name, or the reason why it has none. */
export type Effect = string[] | { ignored: string };

export type EventHandler = (event: HostEvent) => Promise<Effect>;

/** The handler of an event by its name, and by its name and action where that has one of its own. */
export type EventHandlers = Readonly<Partial<Record<string, EventHandler>>>;

/** Git's hash of no commit: a branch that begins or ends. */
export const commitOf = (hash: string | undefined): string | null =>
  hash === undefined || /^0+$/.test(hash) ? null : hash;

/** The name of a branch; undefined for a tag. */
export const branchIn = (ref: string | undefined): string | undefined => /^refs\/heads\/(.+)$/.exec(ref ?? '')?.[1];
