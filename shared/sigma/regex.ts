import type { RE2JS } from 're2js';
import type { ValueTest } from './rule.ts';
import type { CheckRegex } from './values.ts';

/*
 * Regular expressions of rules run on RE2's engine: it takes time in proportion to the text, so that no rule can keep a worker
 * busy. It has no look-around and no back-references, and neither has Sigma. It is loaded with the first rule.
 */

type Regex = Extract<ValueTest, { kind: 'regex' }>;

const MAX_SOURCE = 1_000;

/** The reason why an expression cannot be used. */
export async function regexProblem(): Promise<CheckRegex> {
  const { RE2JS } = await import('re2js');
  return (source) => {
    if (source.length > MAX_SOURCE) return `must have at most ${MAX_SOURCE} characters`;
    try {
      RE2JS.compile(source);
      return undefined;
    } catch (error) {
      const told = error instanceof Error ? error.message : String(error);
      return `is not supported by RE2: ${told}`;
    }
  };
}

export type MakeRegex = (regex: Regex) => (text: string) => boolean;

export async function regexMaker(): Promise<MakeRegex> {
  const { RE2JS } = await import('re2js');
  return ({ source, ...flags }) => {
    const compiled = RE2JS.compile(source, flagsOf(RE2JS, flags));
    return (text) => compiled.test(text);
  };
}

type Flags = Pick<Regex, 'insensitive' | 'multiline' | 'dotAll'>;

const flagsOf = (engine: typeof RE2JS, { insensitive, multiline, dotAll }: Flags): number =>
  (insensitive ? engine.CASE_INSENSITIVE : 0) | (multiline ? engine.MULTILINE : 0) | (dotAll ? engine.DOTALL : 0);
