import { createHash } from 'node:crypto';
import { isId, longId, shortId } from '../../runtime/ids.ts';
import type { Entity, Indexed, Stored } from '../entity.ts';
import { wordsOf } from './words.ts';

/**
 * A mark is a word of a record (`log4j`), a declared value (`tool=semgrep`) or a place in a declared order
 * (`due>2026-02-14`). The store keeps per mark and block of ordinals one row of bits that says which records have the mark, so that any combination is the AND of rows.
 */
export const valueMark = (name: string, value: string): string => {
  const mark = `${name}=${shortParent(value)}`;
  return mark.length <= MAX_LENGTH ? mark : `${name}=#${createHash('sha256').update(mark).digest('base64url')}`;
};

/** Each record with a mark stores it, and keys contain it; a longer value is replaced by its hash. */
const MAX_LENGTH = 120;

const SHORT_ID = 22;

/** The declared values of a name in these marks, without those that are long. */
export const valuesIn = (marks: readonly string[], name: string): string[] =>
  marks.flatMap((mark) => {
    const value = mark.startsWith(`${name}=`) ? mark.slice(name.length + 1) : '';
    if (value === '' || value.startsWith('#')) return [];
    return [value.length === SHORT_ID && isId(longId(value)) ? longId(value) : value];
  });

/** A place in a declared order. Keys contain the text: the characters `A-Za-z0-9:.-`. */
const orderMark = (name: string, text: string): string => `${name}>${text}`;

/** The name and the text of a place in an order; undefined for another mark. */
export const orderIn = (mark: string): { name: string; text: string } | undefined => {
  const [, name, text] = /^(\w+)>(.*)$/.exec(mark) ?? [];
  return name === undefined || text === undefined ? undefined : { name, text };
};

export const isWord = (mark: string): boolean => !/^\w+[=>]/.test(mark);

/** The form of a parent's id in keys. */
export const shortParent = (parent: string): string => (isId(parent) ? shortId(parent) : parent);

/** The value of records without one: `{assigneeId: null}` finds unassigned records. */
export const NO_VALUE = '';

export function marksOf<T extends Stored, D extends keyof T>(entity: Entity<T, D>, item: T): string[] {
  const words = wordsOf(entity.search(item), entity.words);
  return [...new Set([...words, ...marksFrom(valuesOf(entity, item), entity.ordered(item))])];
}

/** The marks of values, and of places in orders. */
export function marksFrom(values: Indexed, places: Readonly<Record<string, string | null | undefined>>): string[] {
  const marks: string[] = [];
  for (const name in values) {
    const value = values[name];
    if (value === undefined) continue;
    if (value === null || typeof value === 'string') marks.push(valueMark(name, value ?? NO_VALUE));
    else for (const one of value) marks.push(valueMark(name, one));
  }
  for (const name in places) if (places[name] != null) marks.push(orderMark(name, places[name]));
  return marks;
}

/** The declared values; with them the dimensions and parents, so that all of them combine. */
function valuesOf<T extends Stored, D extends keyof T>(entity: Entity<T, D>, item: T): Indexed {
  if (!entity.indexed) return {};
  const values: Indexed = {};
  for (const { name } of entity.main.dimensions) values[name] = String(Reflect.get(item, name));
  for (const list in entity.parents) values[list] = entity.parents[list]?.of(item) ?? undefined;
  return { ...values, ...entity.indexed(item) };
}
