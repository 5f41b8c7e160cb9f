import type { FindingDraft } from '../../readers/finding.ts';
import type { Rule } from './rule.ts';
import type { Run } from './run.ts';

/** A SARIF result, and the texts in which its tool writes fields that SARIF lacks. */
export type Said = { run: Run; result: unknown; message: string; draft: FindingDraft; rule: Rule | undefined };

/** The fields of a result as in the tool's own format; undefined for another kind of result. */
export type Retold = Partial<FindingDraft> | undefined;

/**
 * The texts after these labels of a message, each up to the next label; undefined for a message that lacks a label or
 * has them in another order. A last label only ends the text before it.
 */
export function partsOf(message: string, labels: readonly string[]): string[] | undefined {
  const [first = '', ...others] = labels;
  if (!message.startsWith(first)) return undefined;
  const parts: string[] = [];
  let from = first.length;
  for (const label of others) {
    const to = message.indexOf(label, from);
    if (to < 0) return undefined;
    parts.push(message.slice(from, to));
    from = to + label.length;
  }
  return [...parts, message.slice(from)];
}
