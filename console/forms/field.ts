import { nameOf } from '../texts/names.ts';
import { momentOf } from '../zone.ts';

/** A field of a form. The name is that of the body of the operation, so that its errors find the field. */
export type Field = {
  name: string;
  label: string;
  hint?: string;
  required?: boolean;
  initial?: string;
  /** Several short fields are in a row. */
  width?: 'half' | 'third';
} & (
  | { kind: 'text' | 'secret' | 'long' | 'email' | 'number' | 'check' | 'colour' }
  /** A `due` day is one of UTC; a day and a moment are those of the zone of the person. */
  | { kind: 'due' | 'day' | 'moment' }
  | { kind: 'file'; accept: string }
  | { kind: 'choice' | 'choices'; options: readonly Option[] }
);

/** `initial` of a box that is checked, and of several choices. */
export const CHECKED = 'on';
export const chosenOf = (values: readonly string[]): string => values.join(',');

export type Option = { value: string; label: string };

/** The values as they were typed; of `choices` the chosen ones. */
export type Values = {
  text: (name: string) => string;
  /** undefined: nothing was typed */
  maybe: (name: string) => string | undefined;
  chosen: (name: string) => string[];
  /** undefined: no number was typed */
  number: (name: string) => number | undefined;
  /** The moment, or the beginning of the day, as the service takes it; undefined: none was chosen */
  moment: (name: string) => string | undefined;
  isChecked: (name: string) => boolean;
  /** undefined: none was chosen */
  file: (name: string) => File | undefined;
};

export const optionsOf = (values: readonly string[]): Option[] =>
  values.map((value) => ({ value, label: nameOf(value) }));

/** The choices of a field are the values that have a text. The compiler compares these with the interface, where one is shown or sent. */
export const choicesOf = (labels: Readonly<Record<string, string>>): Option[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const isIn = <T extends string>(labels: Readonly<Record<T, string>>, value: string): value is T =>
  Object.hasOwn(labels, value);

/** The value as one of those that have a text. */
export const chosenIn = <T extends string>(labels: Readonly<Record<T, string>>, value: string): T => {
  if (!isIn(labels, value)) throw new Error(`${value} is none of ${Object.keys(labels).join(', ')}`);
  return value;
};

export const valuesOf = (form: HTMLFormElement): Values => valuesIn(new FormData(form));

/** The values with which a form of these fields begins. */
export function initialOf(fields: readonly Field[]): Values {
  const data = new FormData();
  for (const field of fields) {
    const { name, initial = '' } = field;
    if (field.kind === 'choices') for (const value of initial.split(',').filter(Boolean)) data.append(name, value);
    else if (field.kind !== 'check' || initial === CHECKED) data.append(name, initial);
  }
  return valuesIn(data);
}

/** The parts of a body that the person has changed: what stays is not sent, so that a form loses nothing that it does not show. */
export const changesOf = <T extends object>(typed: T, before: T): Partial<T> => {
  const known = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]));
  const changed: Partial<T> = { ...typed };
  for (const [name, value] of Object.entries(typed))
    if (known.get(name) === JSON.stringify(value)) Reflect.deleteProperty(changed, name);
  return changed;
};

function valuesIn(data: FormData): Values {
  const text = (name: string) => String(data.get(name) ?? '').trim();
  const maybe = (name: string) => text(name) || undefined;
  return {
    text,
    maybe,
    chosen: (name) => data.getAll(name).map(String),
    number: (name) => (maybe(name) === undefined ? undefined : Number(text(name))),
    moment: (name) => (maybe(name) === undefined ? undefined : momentOf(text(name))),
    isChecked: (name) => data.has(name),
    file: (name) => {
      const file = data.get(name);
      return file instanceof File && file.size > 0 ? file : undefined;
    },
  };
}

/** The value as one of the values that the operation takes. */
export const oneOf = <T extends string>(known: readonly T[], value: string): T => {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new Error(`${value} is none of ${known.join(', ')}`);
  return found;
};
