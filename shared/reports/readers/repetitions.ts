import { hash } from 'node:crypto';
import type { FindingDraft } from './finding.ts';

/** About 100 MB of memory for lines and as much for places; further equal results of a larger report count as one. */
const MAX_REMEMBERED = 1_000_000;
/** Nobody triages more of one statement in one file; this also keeps the search for a line short. */
const MAX_REPETITIONS = 1_000;

type Place = number | string;
type Places = Map<string, Place | Place[]>;
type Repeated = Pick<FindingDraft, 'identity' | 'asset' | 'location' | 'component' | 'place'>;

/**
 * Distinguishes results that share an identity but are on different lines (the same statement twice in a file) or in
 * different versions of a component: the second gets `#2`, the third `#3`. Results of one line or version that are in
 * different places of one asset for their reader get `.2`, `.3`, so that the numbers of lines stay what they are. The
 * same place again is the same problem.
 */
export class Repetitions {
  readonly #lines: Places = new Map();
  readonly #places: Places = new Map();

  number({ asset, location, component, identity, place }: Repeated): string[] {
    const ofLine = numbered(this.#lines, '#', { identity, place: location.line ?? component?.version ?? 0 });
    if (place === undefined) return ofLine;
    return numbered(this.#places, '.', { identity: ofLine, asset, place: digestOf(place) });
  }
}

/** Short, because a million may be remembered; 72 bits tell the places of one identity apart. */
const digestOf = (place: string): string => hash('sha1', place, 'base64').slice(0, 12);

/** The place of a draft by all of these: the resource, the column, the message. */
export const placeBy = (...parts: (string | number | undefined)[]): string => JSON.stringify(parts);

type Numbered = Pick<Repeated, 'identity'> & { asset?: FindingDraft['asset']; place: Place };

function numbered(all: Places, mark: string, { identity, asset, place }: Numbered): string[] {
  const key = hash('sha1', JSON.stringify([identity, asset]), 'base64');
  const known = all.get(key);
  if (known === undefined) {
    if (all.size < MAX_REMEMBERED) all.set(key, place);
    return identity;
  }
  const places = Array.isArray(known) ? known : [known];
  if (!places.includes(place) && places.length < MAX_REPETITIONS) places.push(place);
  all.set(key, places);
  const ordinal = places.indexOf(place) + 1 || MAX_REPETITIONS;
  return ordinal === 1 ? identity : [...identity, `${mark}${ordinal}`];
}
