import { Refused } from '../api/client.ts';
import { form } from '../texts/form.ts';
import type { Values } from './field.ts';

/** The JSON that a person typed; undefined: nothing was typed. @throws Refused at the field of a text that is no JSON */
export function jsonIn<T>({ maybe }: Values, name: string): T | undefined {
  const typed = maybe(name);
  if (typed === undefined) return undefined;
  try {
    return JSON.parse(typed);
  } catch (error) {
    throw new Refused({ details: [{ path: name, message: form.noJson(String(error)) }] }, form.noJson(name));
  }
}
