import * as z from 'zod';
import { wholeNumber } from './pagination.ts';
import { unwrapped } from './validate.ts';

type Parameters<S extends z.ZodRawShape> = { [K in keyof S]: z.ZodOptional<z.ZodType<NonNullable<z.output<S[K]>>>> };

/**
 * Fields of a body as parameters of a query, where each value is a text. A missing parameter stays absent: the body
 * adds its default.
 */
export const asParameters = <S extends z.ZodRawShape>(fields: S): Parameters<S> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, parameterOf(field as z.ZodType)])) as never;

function parameterOf(field: z.ZodType): z.ZodType {
  const known = field instanceof z.ZodDefault ? { default: field.def.defaultValue } : {};
  return fromText(unwrapped(field))
    .optional()
    .meta({ ...field.meta(), ...known });
}

function fromText(value: z.ZodType): z.ZodType {
  if (value instanceof z.ZodNumber) return z.preprocess((text) => wholeNumber(text as string), value);
  if (!(value instanceof z.ZodBoolean)) return value;
  return z.preprocess((text) => (text === 'true' ? true : text === 'false' ? false : text), z.boolean(TRUTH));
}

const TRUTH = 'must be true or false';
