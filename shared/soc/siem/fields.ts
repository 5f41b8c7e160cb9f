import { isObject } from '#shared/reports/readers/json.ts';
import type { EventFields } from './event.ts';

/** Further fields of one event are left out: they are in `raw`. */
export const MAX_FIELDS = 300;
/** The longest command line of Windows has 32,767 characters: nothing hides behind spaces. */
const MAX_VALUE = 32_768;
const MAX_NAME = 200;
const MAX_DEPTH = 12;
const MAX_LIST = 100;

type Value = EventFields[string];

/** The fields of an event as a flat record: names of nested objects joined by dots, lists of scalars as lists of texts. */
export function flatten(value: object): EventFields {
  const fields: EventFields = {};
  let left = MAX_FIELDS;
  const put = (name: string, one: Value) => {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (Array.isArray(known))
      known.push(
        ...[one]
          .flat()
          .slice(0, MAX_LIST - known.length)
          .map(String),
      );
    else if (known !== undefined) fields[name] = [known, one].flat().slice(0, MAX_LIST).map(String);
    else if (left > 0 && name.length <= MAX_NAME && name !== '__proto__') {
      fields[name] = one;
      left -= 1;
    }
  };
  const walk = (name: string, one: unknown, depth: number): void => {
    if (Array.isArray(one)) {
      const scalars = one.filter((item) => item !== null && typeof item !== 'object').map((item) => cut(String(item)));
      if (scalars.length > 0) put(name, scalars.slice(0, MAX_LIST));
      if (depth < MAX_DEPTH) for (const item of one.slice(0, MAX_LIST)) if (isObject(item)) walk(name, item, depth + 1);
    } else if (isObject(one)) {
      if (depth < MAX_DEPTH)
        for (const [key, inner] of Object.entries(one)) walk(name === '' ? key : `${name}.${key}`, inner, depth + 1);
    } else if (typeof one === 'string') put(name, cut(one));
    else if (typeof one === 'number' || typeof one === 'boolean') put(name, one);
  };
  walk('', value, 0);
  return fields;
}

const cut = (text: string): string => (text.length > MAX_VALUE ? text.slice(0, MAX_VALUE) : text).toWellFormed();

/** The first of these fields that has a value, as a text. */
export function firstOf(fields: EventFields, names: readonly string[]): string | null {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined && text !== '' && text !== '-') return String(text);
  }
  return null;
}
