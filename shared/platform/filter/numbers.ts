import type { Marked } from '../table/combined.ts';
import type { Field } from './fields.ts';

type NumberField = Extract<Field, { kind: 'number' }>;

/** The places of the numbers that a comparison accepts, or the reason why a value is wrong. */
export function numbersOf(operator: string, values: readonly string[], field: NumberField): Marked | string {
  const { order, step, most } = field;
  const allowed = `must be a number from 0 to ${most} in steps of ${step}`;
  if (operator === 'exists') return { order };
  const steps = (text: string): number | undefined => {
    const count = Math.round(Number(text) / step);
    const isStep = NUMBER.test(text) && Math.abs(count * step - Number(text)) < step / 1_000;
    return isStep && count * step <= most ? count : undefined;
  };
  const between = (from: number, to: number): Marked =>
    from > to ? NOTHING : { order, from: field.placeOf(to * step), to: field.placeOf(from * step) };
  const last = Math.round(most / step);
  if (operator === 'within') return within(values[0] ?? '', { steps, between, last, allowed });
  const counts = values.map(steps);
  const known = counts.filter((count) => count !== undefined);
  if (known.length < counts.length) return allowed;
  if (operator === 'over') return between((known[0] ?? 0) + 1, last);
  if (operator === 'under') return between(0, (known[0] ?? 0) - 1);
  return { any: known.map((count) => between(count, count)) };
}

const NUMBER = /^\d{1,9}(?:\.\d{1,9})?$/;

/** Whether a number fits a comparison, also where its values are between two steps; undefined for values that are no numbers. */
export function numberTest(operator: string, values: readonly string[]): ((number: number) => boolean) | undefined {
  const [first = '', end = first] = operator === 'within' ? (values[0] ?? '').split('..') : values;
  const ends = operator === 'within' ? [first || '0', end || '999999999'] : values;
  if (!ends.every((text) => NUMBER.test(text))) return undefined;
  const [from = 0, to = 0] = ends.map(Number);
  if (operator === 'within') return (number) => from <= number && number <= to;
  if (operator === 'over') return (number) => number > from;
  if (operator === 'under') return (number) => number < from;
  return (number) => ends.some((text) => Number(text) === number);
}

/** No record fits. */
const NOTHING: Marked = { any: [] };

type Scale = {
  steps: (text: string) => number | undefined;
  between: (from: number, to: number) => Marked;
  last: number;
  allowed: string;
};

function within(value: string, { steps, between, last, allowed }: Scale): Marked | string {
  const [first = '', end = first, ...more] = value.split('..');
  const [from, to] = [first === '' ? 0 : steps(first), end === '' ? last : steps(end)];
  if (from === undefined || to === undefined || more.length > 0 || value === '..' || value === '')
    return `${allowed}, or a range of two such as 0..1`;
  return from > to ? `begins with ${first}, above its end ${end}` : between(from, to);
}
