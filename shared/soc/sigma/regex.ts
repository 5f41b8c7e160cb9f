import type { RE2JS } from 're2js';
import type { NeededText, ValueTest } from './rule.ts';
import { type Steps, take } from './steps.ts';
import type { ReadRegex } from './values.ts';

/*
 * Regular expressions of rules run on RE2's engine: it takes time in proportion to the text and to the size of the
 * expression. Like Sigma, it has no look-around and no back-references. It is loaded with the first rule.
 */

type Regex = Extract<ValueTest, { kind: 'regex' }>;

const MAX_SOURCE = 1_000;
/** Instructions of all expressions of a text. Of the rules of SigmaHQ (August 2026) none has more than 1,003. */
export const MAX_INSTRUCTIONS = 2_000;
/** A coarse bound before an expression is compiled, so that none takes more than milliseconds. */
const MAX_EXPANDED = 4 * MAX_INSTRUCTIONS;

/** Reads expressions, or finds the reason why one cannot be used. It adds up the expressions of one text. */
export async function regexReader(): Promise<ReadRegex> {
  const { RE2JS } = await import('re2js');
  let left = MAX_INSTRUCTIONS;
  return ({ source, ...flags }) => {
    if (source.length > MAX_SOURCE) return `must have at most ${MAX_SOURCE} characters`;
    if (expandedSize(source) > MAX_EXPANDED) return TOO_LARGE;
    try {
      left -= engineOf(RE2JS.compile(source, flagsOf(RE2JS, flags))).prog.numInst();
      if (left < 0) return TOO_LARGE;
      const { prefilter } = engineOf(RE2JS.compile(source, flagsOf(RE2JS, { ...flags, insensitive: false })));
      return { kind: 'regex', source, ...flags, needs: neededText(prefilter, flags.insensitive) };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return `is not supported by RE2: ${problem}`;
    }
  };
}

/** The texts that the engine looks for before it tries an expression, which it knows with letter case alone. */
type Prefilter = { type: number; str: string; subs: readonly Prefilter[] };
const [ONE_TEXT, EVERY] = [1, 2];

function neededText(prefilter: Prefilter | null, insensitive: boolean): NeededText {
  if (!prefilter) return null;
  const { type, str, subs } = prefilter;
  if (type !== ONE_TEXT) return { every: type === EVERY, of: subs.map((sub) => neededText(sub, insensitive)) };
  if (!insensitive) return str;
  // without letter case, an s is also ſ, which has no other lower case
  return str.split(/s/i).reduce((best, part) => (part.length > best.length ? part : best));
}

const TOO_LARGE = `makes the regular expressions of this rule too large (${MAX_INSTRUCTIONS} instructions of RE2): repeat less, such as {1,20} for {1,900}, or split the rule`;

const TOKEN = /\\[\s\S]|\[\^?\]?|\{(\d{1,4})(?:,(\d{0,4}))?\}|[\s\S]/g;

/** The size of an expression with its repetitions written out: about its number of instructions, and never far below. */
function expandedSize(source: string): number {
  const open = [0];
  let last = 0;
  let inClass = false;
  const add = (size: number) => open.push((open.pop() ?? 0) + size);
  for (const [token, least, most] of source.matchAll(TOKEN)) {
    if (inClass) inClass = token[0] === '\\' || !token.endsWith(']');
    else if (token === '(') open.push(0);
    else if (least !== undefined) {
      const again = last * Math.max(0, Number(least) - 1, Number(most ?? 0) - 1);
      last += again;
      add(again);
    } else {
      inClass = token[0] === '[';
      last = token === ')' ? (open.pop() ?? 0) : 1;
      add(last);
    }
  }
  return open.reduce((sum, size) => sum + size, 0);
}

export type MakeRegex = (regex: Regex) => (text: string, steps: Steps) => boolean;

/** @param note takes the number of instructions of each expression that is made */
export async function regexMaker(note: (instructions: number) => void = () => undefined): Promise<MakeRegex> {
  const { RE2JS } = await import('re2js');
  return ({ source, ...flags }) => {
    const compiled = RE2JS.compile(source, flagsOf(RE2JS, flags));
    const engine = engineOf(compiled);
    note(engine.prog.numInst());
    const countIn = counted(engine);
    return (text, steps) => {
      take(steps, text.length);
      countIn(steps);
      const fits = compiled.test(text);
      keepStates(engine);
      return fits;
    };
  };
}

type Flags = Pick<Regex, 'insensitive' | 'multiline' | 'dotAll'>;

const flagsOf = (engine: typeof RE2JS, { insensitive, multiline, dotAll }: Flags): number =>
  (insensitive ? engine.CASE_INSENSITIVE : 0) | (multiline ? engine.MULTILINE : 0) | (dotAll ? engine.DOTALL : 0);

/** The parts of the engine that say how much it works. */
type Engine = {
  prog: { numInst: () => number; getInst: (pc: number) => unknown };
  doExecuteNFA: (input: { endPos: () => number }, ...more: unknown[]) => unknown;
  /** Null before the first text. */
  lazyDFA: States | null;
  /** Null for an expression that needs no text. */
  prefilter: Prefilter | null;
};
type States = { stateBudget: number; memBudget: number; clearCache: () => void };

const engineOf = (compiled: RE2JS): Engine => compiled.re2() as unknown as Engine;

/** Steps for a look at an instruction. */
const VISIT_STEPS = 6;

/**
 * Counts the steps of an expression. While its automaton knows the states of a text, it takes one step for each
 * character; each new state consists of instructions, which it reads one by one. Where its states have no room, it
 * walks all instructions at each character.
 * @returns a function that sets whose steps the next texts take
 */
function counted(engine: Engine): (steps: Steps) => void {
  const { prog } = engine;
  let taker: Steps | undefined;
  const [getInst, execute] = [prog.getInst.bind(prog), engine.doExecuteNFA.bind(engine)];
  prog.getInst = (pc) => {
    if (taker) take(taker, VISIT_STEPS);
    return getInst(pc);
  };
  engine.doExecuteNFA = (input, ...more) => {
    if (taker) take(taker, VISIT_STEPS * prog.numInst() * (input.endPos() + 1));
    return execute(input, ...more);
  };
  return (steps) => {
    taker = steps;
  };
}

/** Memory of the states of all expressions of a process, in bytes; a single one takes at most 8 MB. */
const MAX_STATES = 64 * 1024 * 1024;
const warm = new Map<States, number>();
let warmBytes = 0;

/** Forgets the states of all expressions when they fill their memory: texts make them again. */
function keepStates({ lazyDFA: states }: Engine): void {
  if (!states) return;
  const bytes = states.stateBudget - states.memBudget;
  warmBytes += bytes - (warm.get(states) ?? 0);
  warm.set(states, bytes);
  if (warmBytes <= MAX_STATES) return;
  for (const each of warm.keys()) each.clearCache();
  warm.clear();
  warmBytes = 0;
}
