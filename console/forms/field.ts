/** A field of a form. The name is that of the body of the operation, so that its errors find the field. */
export type Field = {
  name: string;
  label: string;
  hint?: string;
  required?: boolean;
  initial?: string;
} & ({ kind: 'text' | 'email' | 'number' | 'date' } | { kind: 'choice' | 'choices'; options: readonly Option[] });

type Option = { value: string; label: string };

/** The values as they were typed; of `choices` the chosen ones. */
export type Values = {
  text: (name: string) => string;
  /** undefined: nothing was typed */
  maybe: (name: string) => string | undefined;
  chosen: (name: string) => string[];
};

export const optionsOf = (values: readonly string[]): Option[] =>
  values.map((value) => ({ value, label: value.replaceAll('_', ' ') }));

export function valuesOf(form: HTMLFormElement): Values {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? '').trim();
  return { text, maybe: (name) => text(name) || undefined, chosen: (name) => data.getAll(name).map(String) };
}

/** The value as one of the values that the operation takes. */
export const oneOf = <T extends string>(known: readonly T[], value: string): T => {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new Error(`${value} is none of ${known.join(', ')}`);
  return found;
};
