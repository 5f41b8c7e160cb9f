import { hash } from 'node:crypto';
import type { FindingDraft } from './finding.ts';

/** About 100 MB of memory; further equal results of a larger report count as one. */
const MAX_REMEMBERED = 1_000_000;
/** Nobody triages more of one statement in one file; this also keeps the search for a line short. */
const MAX_REPETITIONS = 1_000;

type Place = number | string;
type Repeated = Pick<FindingDraft, 'identity' | 'location' | 'component' | 'place'>;

/**
 * Distinguishes results that share an identity but are on different lines (the same statement twice in a file), in
 * different versions of a component, or in what their reader calls another place: the second gets `#2`, the third `#3`.
 * The same place again is the same problem.
 */
export class Repetitions {
  readonly #places = new Map<string, Place | Place[]>();

  number({ location, component, identity, place }: Repeated): string[] {
    const measured = location.line ?? component?.version ?? 0;
    return numbered(this.#places, identity, place === undefined ? measured : hash('sha1', `${measured} ${place}`));
  }
}

/** The place of a draft by all of these: the resource, the column, the message. */
export const placeBy = (...parts: (string | number | undefined)[]): string => JSON.stringify(parts);

function numbered(all: Map<string, Place | Place[]>, identity: string[], place: Place): string[] {
  const key = hash('sha1', JSON.stringify(identity), 'base64');
  const known = all.get(key);
  if (known === undefined) {
    if (all.size < MAX_REMEMBERED) all.set(key, place);
    return identity;
  }
  const places = Array.isArray(known) ? known : [known];
  if (!places.includes(place) && places.length < MAX_REPETITIONS) places.push(place);
  all.set(key, places);
  const ordinal = places.indexOf(place) + 1 || MAX_REPETITIONS;
  return ordinal === 1 ? identity : [...identity, `#${ordinal}`];
}
