import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'aws-lambda';

/** The function's call in which code runs: several run in one process of the local system. */
const calls = new AsyncLocalStorage<Context>();

/** Does the work with its time limit known to all that it calls. */
export const withinTime = <T>(context: Context, work: () => Promise<T>): Promise<T> => calls.run(context, work);

/** The time that the request or message has left; undefined outside of both. */
export const timeLeftMs = (): number | undefined => calls.getStore()?.getRemainingTimeInMillis?.();
