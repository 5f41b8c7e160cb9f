import { hash } from 'node:crypto';

/** About 100 MB of memory; further equal results of a larger report count as one. */
const MAX_REMEMBERED = 1_000_000;
/** Nobody triages more of one statement in one file; keeps the search for a line short. */
const MAX_REPETITIONS = 1_000;

/**
 * Tells results apart that share an identity but lie on different lines (the same statement twice in a file): the
 * second gets `#2`, the third `#3`. The same line again is the same problem.
 */
export class Repetitions {
  readonly #lines = new Map<string, number | number[]>();

  number(identity: string[], line: number): string[] {
    const key = hash('sha1', JSON.stringify(identity), 'base64');
    const known = this.#lines.get(key);
    if (known === undefined) {
      if (this.#lines.size < MAX_REMEMBERED) this.#lines.set(key, line);
      return identity;
    }
    const lines = typeof known === 'number' ? [known] : known;
    if (!lines.includes(line) && lines.length < MAX_REPETITIONS) lines.push(line);
    this.#lines.set(key, lines);
    const ordinal = lines.indexOf(line) + 1 || MAX_REPETITIONS;
    return ordinal === 1 ? identity : [...identity, `#${ordinal}`];
  }
}
