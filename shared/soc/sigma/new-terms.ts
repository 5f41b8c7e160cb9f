import { fieldsOf, textsOf } from './documents.ts';
import { refuse } from './refusal.ts';
import type { NewTerms } from './rule.ts';

const MAX_FIELDS = 3;
const MAX_DAYS = 90;
const DAY_SECONDS = 86_400;
const PATH = 'new_terms';

/** Reads the extension by which a rule matches the first events with a value, or with a combination of values. @throws SigmaError */
export function readNewTerms(value: unknown): NewTerms | null {
  if (value === undefined) return null;
  const { fields: named, history_window: window, ...more } = fieldsOf(PATH, value);
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) refuse(`${PATH}.${unknown}`, 'is not known: send fields and history_window');
  const fields = textsOf(`${PATH}.fields`, named);
  if (fields.length < 1 || fields.length > MAX_FIELDS)
    refuse(`${PATH}.fields`, `must name 1 to ${MAX_FIELDS} fields, such as [user, host]`);
  const days = Number(/^(\d{1,2})d$/.exec(typeof window === 'string' ? window : '')?.[1]);
  if (!(days >= 1 && days <= MAX_DAYS)) refuse(`${PATH}.history_window`, `must be 1d to ${MAX_DAYS}d, such as 14d`);
  return { fields, windowSeconds: days * DAY_SECONDS };
}
