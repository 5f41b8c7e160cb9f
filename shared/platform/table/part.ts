import { ApiError } from '../runtime/errors.ts';
import { caseless } from '../runtime/texts.ts';
import type { Marked } from './combined.ts';
import type { Entity, ListItem, Names, Part, Stored } from './entity.ts';
import { marksOf } from './layout/marks.ts';
import { originOf } from './layout/record.ts';
import { hasMarks } from './match.ts';

type Collection = Pick<Entity, 'name' | 'inPart'>;

/**
 * The condition of the records that a caller sees.
 * @throws insufficient_scope for a collection that does not say what belongs to a part: it is closed
 */
export function seenIn({ name, inPart }: Collection, part: Part | undefined): Marked {
  if (!part || inPart === 'whole') return 'everything';
  if (inPart === undefined) throw closed(name);
  if (inPart === 'none') return { any: [] };
  const values: Part = { ...part, zones: part.zones?.map(caseless) };
  const anyOf = (names: Names): Marked => ({
    any: Object.entries(names).map(([of, name]) => ({ name, values: [values[of as keyof Part] ?? []].flat() })),
  });
  return 'map' in inPart ? { all: inPart.map(anyOf) } : anyOf(inPart);
}

/** Whether a caller sees a record that was read, by the values that the index has of it. @throws as `seenIn` does */
export function sees(part: Part | undefined, entity: Collection, item: object): boolean {
  const seen = seenIn(entity, part);
  return seen === 'everything' || hasMarks(seen, originOf(item).contribution().marks);
}

/** @throws insufficient_scope for a record that the caller would not see */
export function assertSeen<T extends Stored, D extends keyof T>(
  part: Part | undefined,
  entity: Entity<T, D>,
  item: T | ListItem<T, D>,
): void {
  const seen = seenIn(entity, part);
  if (seen !== 'everything' && !hasMarks(seen, marksOf(entity, item as T))) throw outside(entity.name);
}

/** Counters count all records of a collection. @throws insufficient_scope for a caller who does not see all */
export function assertWhole(entity: Collection, part: Part | undefined): void {
  if (seenIn(entity, part) !== 'everything') throw closed(entity.name);
}

const closed = (name: string): ApiError =>
  new ApiError(
    'insufficient_scope',
    `Your role is for a part of the organization, and does not open what this needs of ${name}.`,
  );

const outside = (name: string): ApiError =>
  new ApiError(
    'insufficient_scope',
    `Your role is for a part of the organization: this ${name} would be outside of it.`,
  );
