import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { check } from 'recheck';
import { attacksOn } from './attacks.ts';
import type { Pattern } from './patterns.ts';

const LENGTH = 50_000;
const MAX_MS = 300;

/**
 * Milliseconds of recheck for one pattern. Half of them is enough for 611 of 654. What takes longer has bounds that make many states,
 * and most of that is not judged in ten times as long: the texts judge it.
 */
const TIMEOUT = 1_000;

/**
 * The beginning of the first text that takes the pattern too long. Processor time is compared, not time of day: a linear pattern needs
 * milliseconds; a pattern that backtracks needs seconds.
 */
export function slowText(pattern: Pattern, length = LENGTH): string | undefined {
  const { source, flags } = pattern;
  const everywhere = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  const isSlow = (text: string): boolean => {
    const before = process.cpuUsage().user;
    text.replace(everywhere, '');
    return process.cpuUsage().user - before > MAX_MS * 1000;
  };
  return attacksOn(pattern, length).find(isSlow)?.slice(0, 40);
}

/** The programs that judge do not know these; none of them changes the time that a match takes. */
const withoutNewFlags = (flags: string): string => flags.replaceAll(/[dv]/g, '');

/** By the automaton of recheck: its other way, random texts, takes a pattern with a bound of some hundreds for one without. */
export const isSlowAutomaton = async (source: string, flags = ''): Promise<boolean> =>
  (await check(source, withoutNewFlags(flags), { checker: 'automaton', timeout: TIMEOUT })).status === 'vulnerable';

const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
const { version } = JSON.parse(textOf('../../node_modules/recheck/package.json'));

/** Names both judges: what another one has found says nothing of these. */
export const judges = [
  `texts ${createHash('sha256').update(textOf('./attacks.ts')).digest('hex').slice(0, 16)} of ${LENGTH} in ${MAX_MS} ms`,
  `V8 ${process.versions.v8}`,
  `recheck ${version} in ${TIMEOUT} ms`,
].join(', ');
