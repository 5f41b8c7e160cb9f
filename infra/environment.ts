import type * as z from 'zod';
import type { Settings } from '#shared/platform/runtime/env.ts';

type Required<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T];

/** The settings that every function needs: the compiler refuses a missing and a superfluous one. */
export type FunctionEnvironment = Record<Required<z.input<typeof Settings>>, string>;

/** The optional settings that the deployment gives; settings without a value are left out. */
export const variables = (values: { [K in keyof Settings]?: Settings[K] & string }): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
