/** A rule from its text, checked and without modifiers. `docs/detection.md` lists the supported parts of a text. */
export type SigmaRule = {
  /** By which a correlation names the rule, beside its id. */
  name: string | null;
  id: string | null;
  logsource: LogSource;
  searches: ReadonlyMap<string, Search>;
  condition: Condition;
};

/** In lower case; null admits any. */
export type LogSource = { category: string | null; product: string | null; service: string | null };

/** Fits when all fields of one of the groups fit. */
export type Search = readonly (readonly FieldTest[])[];

/** One line of a search: a field and its values. `field` is null for words that may be anywhere in the event. */
export type FieldTest = {
  field: string | null;
  tests: readonly ValueTest[];
  /** How many values must match: one of them, or none of them. */
  fits: 'any' | 'none';
};

/** `any` matches any characters, `one` matches one. */
export type PatternPart = { text: string } | 'any' | 'one';

export type ValueTest =
  | { kind: 'text'; parts: readonly PatternPart[]; cased: boolean }
  | { kind: 'regex'; source: string; insensitive: boolean; multiline: boolean; dotAll: boolean; needs: NeededText }
  | { kind: 'network'; address: string; bits: number; family: 'ipv4' | 'ipv6' }
  | { kind: 'number'; than: NumberOrder; value: number }
  | { kind: 'absent' }
  | { kind: 'exists'; wanted: boolean }
  | { kind: 'field'; name: string; place: FieldPlace; cased: boolean };

/** Each text that a regular expression matches has this text in it, or all or one of several. Null for an expression without any. */
export type NeededText = string | { every: boolean; of: readonly NeededText[] } | null;

export type NumberOrder = 'lt' | 'lte' | 'gt' | 'gte';
/** The place in the field where the text of another field must be. */
export type FieldPlace = 'whole' | 'begins' | 'ends' | 'within';

export type Condition =
  | { kind: 'search'; name: string }
  | { kind: 'not'; of: Condition }
  | { kind: 'and' | 'or'; of: readonly Condition[] };

export const CORRELATION_TYPES = [
  'event_count',
  'value_count',
  'value_sum',
  'temporal',
  'temporal_ordered',
  'value_avg',
  'value_percentile',
  'value_median',
] as const;

/**
 * A number adds to the sum of a correlation itself if it is positive, its distance from a bound (an average), or a mark of its side of the bound
 * (a percentile). Bounds are in thousandths; `sign` is -1 where the condition asks for less.
 */
export type Addend =
  | { as: 'itself' }
  | { as: 'distance'; from: number; sign: 1 | -1 }
  | { as: 'side'; of: number; isAbove: 'gt' | 'gte'; percentile: number; sign: 1 | -1 };

/** Counts the events that fit one of the rules, or the rules that they fit, for each group of values and within a span of time. */
export type Correlation = {
  type: (typeof CORRELATION_TYPES)[number];
  /** Fields whose values group the events. */
  groupBy: readonly string[];
  /** `order`: all rules in their order, each in the same part of the span as the one before or in a later one. */
  counts: 'events' | 'values' | 'sum' | 'order';
  /** The fields whose values are counted together, or whose numbers are added; null counts events, or the rules of a `temporal` type. */
  fields: readonly string[] | null;
  /** The names or ids of stored rules, which the text does not have. */
  references: readonly string[];
  adds: Addend;
  /** For each rule of the text, then for each reference, its place among the `rules` of the correlation. */
  places: readonly number[];
  timespanSeconds: number;
  /** So many events, values, rules or thousandths of a sum make an alert. */
  atLeast: number;
  /** For each of these rules: the name of a field in the correlation -> the field of the rule's events. */
  aliases: readonly ReadonlyMap<string, string>[];
};

/** The rule matches events whose values of these fields it has not seen together within the window. */
export type NewTerms = { fields: readonly string[]; windowSeconds: number };

export const LEVELS = ['informational', 'low', 'medium', 'high', 'critical'] as const;

/** The description of a rule. A correlation has its own. */
export type SigmaMeta = {
  title: string;
  id: string | null;
  name: string | null;
  description: string | null;
  level: (typeof LEVELS)[number];
  tags: readonly string[];
};

/** A supported text: one rule, a correlation with rules that it counts beside stored ones, or a filter of other rules. */
export type SigmaText = {
  meta: SigmaMeta;
  rules: readonly SigmaRule[];
  correlation: Correlation | null;
  newTerms: NewTerms | null;
  /** Of a filter, whose condition is its only rule: the ids and names of the rules that need it, too. */
  filters: readonly string[] | 'any' | null;
};
