import type { Fits } from '../sigma/compile.ts';
import type { SigmaRule, SigmaText } from '../sigma/rule.ts';
import type { DetectionRule } from './detection-rule.ts';

/** A rule, ready to be tried on events. */
export type ReadyRule = Pick<
  DetectionRule,
  | 'id'
  | 'version'
  | 'title'
  | 'description'
  | 'severity'
  | 'attackTechniques'
  | 'effect'
  | 'exceptions'
  | 'counts'
  | 'learnsUntil'
> & {
  text: SigmaText;
  /** Approximate bytes of memory. */
  bytes: number;
  /** The rules of its text. */
  parts: readonly ReadyPart[];
  /** A test without the events of the rule's exceptions. */
  leaveOut: (fits: Fits) => Fits;
};

/** The test of one rule among those of `rule`, which a correlation counts. `n`: its number among the `places` of the correlation. */
export type ReadyPart = { rule: ReadyRule; n: number; sigma: SigmaRule; fits: Fits };
