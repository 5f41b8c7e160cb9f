import type * as z from 'zod';
import type { Settings } from '#shared/runtime/env.ts';

type Required<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T];

/** The settings that a function cannot start without: the compiler refuses one too few and one too many. */
export type FunctionEnvironment = Record<Required<z.input<typeof Settings>>, string>;

/** Those of the optional settings that the deployment gives: a variable without a value is no variable. */
export const variables = (values: { [K in keyof Settings]?: Settings[K] & string }): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
