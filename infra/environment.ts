import type * as z from 'zod';
import type { Settings } from '#shared/env.ts';

type Required<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T];

/** The settings that a function cannot start without: the compiler refuses one too few and one too many. */
export type FunctionEnvironment = Record<Required<z.input<typeof Settings>>, string>;
