import type { Command } from 'commander';
import type { Context } from './context.ts';
import type { Exit } from './errors.ts';

/** The work of a command: it gets its arguments and options, and answers its exit code (0 without one). */
type Work<A extends unknown[]> = (context: Context, ...args: A) => Promise<Exit | undefined>;
/** Makes an action of commander. */
export type Act = <A extends unknown[]>(work: Work<A>) => (this: Command, ...args: A) => Promise<void>;

/** Every file of `commands/` exports one: it gives the command its arguments, options and work. */
export type Define = (command: Command, act: Act) => void;
