import * as z from 'zod';
import { WEAKNESS_NAMES } from '#shared/assets/controls/weakness.ts';
import { BenchmarkCheck } from '#shared/reports/report/report.ts';

const named = { control: z.string(), title: z.string() };

/**
 * A control by its identifier in the framework, with words of this service: the texts of frameworks belong to their publishers. It is
 * met while none of its weaknesses is there, or all of its checks (keys of the benchmark) passed.
 */
const Control = z.union([
  z.strictObject({ ...named, weaknesses: z.array(z.enum(WEAKNESS_NAMES)), checks: z.undefined().optional() }),
  z.strictObject({ ...named, checks: z.array(z.string()), weaknesses: z.undefined().optional() }),
]);
export type Control = z.infer<typeof Control>;

export const Framework = z.strictObject({
  /** Part of the ids of controls: never changed. */
  id: z.string(),
  name: z.string(),
  version: z.string(),
  publisher: z.string(),
  /** The source of the identifiers. */
  source: z.string(),
  /** The lists of others, or of the publisher as data, that have each of the identifiers; which of them nobody else lists. */
  comparedWith: z.string(),
  /** The part of the framework that scans can say something about. */
  scope: z.string(),
  /** The benchmark, where the controls are checks of a tool. */
  benchmark: z.strictObject({ id: BenchmarkCheck.shape.benchmark, tool: z.string() }).optional(),
  controls: z.array(Control),
});
export type Framework = z.infer<typeof Framework>;
