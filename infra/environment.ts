import type * as z from 'zod';
import type { Settings } from '#shared/platform/runtime/env.ts';

type Required<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T];

/** The settings that every function needs: the compiler refuses a missing or an extra setting. */
export type FunctionEnvironment = Record<Required<z.input<typeof Settings>>, string>;

/** The optional settings of the deployment, without those that have no value. */
export const variables = (values: { [K in keyof Settings]?: Settings[K] & string }): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
