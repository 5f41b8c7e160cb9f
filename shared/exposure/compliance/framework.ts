import type { Weakness } from '#shared/assets/controls/weakness.ts';
import type { Benchmark } from '#shared/reports/report/report.ts';

/**
 * A control by its identifier in the framework, with words of this service: the texts of frameworks belong to their publishers. It is
 * met while none of its weaknesses is there, or all of its checks (keys of the benchmark) passed.
 */
export type Control = { control: string; title: string } & (
  | { weaknesses: readonly Weakness[]; checks?: undefined }
  | { weaknesses?: undefined; checks: readonly string[] }
);

export type Framework = {
  /** Part of the ids of controls: never changed. */
  id: string;
  name: string;
  version: string;
  publisher: string;
  /** Where the identifiers come from. */
  source: string;
  /** The lists of others, or of the publisher as data, that have each of the identifiers; which of them nobody else lists. */
  comparedWith: string;
  /** The part of the framework that scans can say something about. */
  scope: string;
  /** Of a benchmark whose controls are checks of a tool. */
  benchmark?: { id: Benchmark; tool: string };
  controls: readonly Control[];
};

/** A control of weaknesses, for the tables of frameworks. */
export const control = (number: string, title: string, ...weaknesses: Weakness[]): Control => ({
  control: number,
  title,
  weaknesses,
});
