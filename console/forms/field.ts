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
  | { kind: 'text' | 'secret' | 'long' | 'email' | 'number' | 'date' | 'moment' | 'check' }
  | { kind: 'choice' | 'choices'; options: readonly Option[] }
);

/** `initial` of a box that is checked, and of several choices. */
export const CHECKED = 'on';
export const chosenOf = (values: readonly string[]): string => values.join(',');

/** `initial` of a moment, in the zone of the person. */
export function localOf(time: string | null | undefined): string {
  if (!time) return '';
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

type Option = { value: string; label: string };

/** The values as they were typed; of `choices` the chosen ones. */
export type Values = {
  text: (name: string) => string;
  /** undefined: nothing was typed */
  maybe: (name: string) => string | undefined;
  chosen: (name: string) => string[];
  /** undefined: no number was typed */
  number: (name: string) => number | undefined;
  /** The time of the zone of the person, as the service takes it; undefined: none was chosen */
  moment: (name: string) => string | undefined;
  isChecked: (name: string) => boolean;
};

export const optionsOf = (values: readonly string[]): Option[] =>
  values.map((value) => ({ value, label: value.replaceAll('_', ' ') }));

export function valuesOf(form: HTMLFormElement): Values {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? '').trim();
  const maybe = (name: string) => text(name) || undefined;
  return {
    text,
    maybe,
    chosen: (name) => data.getAll(name).map(String),
    number: (name) => (maybe(name) === undefined ? undefined : Number(text(name))),
    moment: (name) => (maybe(name) === undefined ? undefined : new Date(text(name)).toISOString()),
    isChecked: (name) => data.has(name),
  };
}

/** The value as one of the values that the operation takes. */
export const oneOf = <T extends string>(known: readonly T[], value: string): T => {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new Error(`${value} is none of ${known.join(', ')}`);
  return found;
};
