/** Comparisons of a field; docs/filters.md explains each. */
export const OPERATORS = [
  ...(['equals', 'in', 'matches', 'cidr', 'exists', 'before', 'after', 'within', 'over', 'under'] as const),
] as const;
type Operator = (typeof OPERATORS)[number];

/** A comparison of one field of a record. */
export type Leaf = {
  field: string;
  /** The key of a tag of a cloud. */
  key?: string | undefined;
  operator: Operator;
  value?: string | string[] | undefined;
};

/** A test of records as JSON: exactly one of `all`, `any`, `not` and `field` is there. */
export type Filter = Partial<Leaf> & {
  all?: Filter[] | undefined;
  any?: Filter[] | undefined;
  not?: Filter | undefined;
};

/** The records that filters select, by the names of their entities. */
export const FILTERED_ENTITIES = [
  ...(['finding', 'vulnerability', 'asset', 'alert', 'incident', 'exposed-credential'] as const),
  ...([
    'identity',
    'repository',
    'import',
    'ticket',
    'engagement',
    'application',
    'scanner-task',
    'task',
    'audit',
    'delivery',
  ] as const),
] as const;
export type FilteredEntity = (typeof FILTERED_ENTITIES)[number];

export const MAX_DEPTH = 5;
export const MAX_LEAVES = 50;
export const MAX_VALUES = 100;
/** Values of all comparisons together: each may be a row of the index that a list reads. */
export const MAX_ALL_VALUES = 200;

export type Problem = { path: (string | number)[]; message: string };

const KINDS = ['all', 'any', 'not', 'field'] as const;

/** The reason why the members of an object make no filter. */
export function problemOf(filter: Filter): Problem | undefined {
  const [kind, second] = KINDS.filter((name) => filter[name] !== undefined);
  if (!kind) return { path: [], message: 'must have one of all, any, not and field' };
  if (second) return { path: [second], message: `must be left out beside ${kind}: wrap both in all or any` };
  if (kind === 'field') return leafProblem(filter);
  const extra = (['key', 'operator', 'value'] as const).find((name) => filter[name] !== undefined);
  return extra && { path: [extra], message: `must be left out beside ${kind}` };
}

function leafProblem({ operator, value }: Filter): Problem | undefined {
  if (operator === undefined) return { path: ['operator'], message: `is required: one of ${OPERATORS.join(', ')}` };
  if (operator === 'exists')
    return value === undefined ? undefined : { path: ['value'], message: 'must be left out with exists' };
  if (operator === 'in')
    return Array.isArray(value) ? undefined : { path: ['value'], message: 'must be a list of texts with in' };
  return typeof value === 'string' ? undefined : { path: ['value'], message: `must be one text with ${operator}` };
}

/** The reason why a value has not the form of a filter. The zod schema says the same of the bodies of requests. */
export function formProblem(value: unknown, path: Problem['path'] = []): Problem | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { path, message: 'must be an object' };
  const unknown = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) return { path, message: `has the unknown member ${unknown}` };
  const filter = value as Filter;
  for (const name of ['all', 'any'] as const) {
    const list: unknown = filter[name];
    if (list !== undefined && !(Array.isArray(list) && list.length > 0))
      return { path: [...path, name], message: 'must be a list of at least one filter' };
  }
  const wrong = Object.entries(value).find(([name, one]) => one !== undefined && name in TEXTS && !TEXTS[name]?.(one));
  if (wrong) return { path: [...path, wrong[0]], message: 'must be a text, or a list of texts with in' };
  const problem = problemOf(filter);
  if (problem) return { path: [...path, ...problem.path], message: problem.message };
  for (const part of partsOf(filter)) {
    const inner = formProblem(part.filter, [...path, ...part.path]);
    if (inner) return inner;
  }
  return undefined;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const TEXTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  field: isText,
  key: isText,
  operator: (value) => OPERATORS.some((one) => one === value),
  value: (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)),
};
const MEMBERS = ['all', 'any', 'not', ...Object.keys(TEXTS)];

type Inner = { filter: Filter; path: (string | number)[] };

/** The filters directly inside of one, each with its path from there. */
function partsOf({ all, any, not }: Filter): Inner[] {
  const several = (name: string, of: Filter[] = []) => of.map((filter, n) => ({ filter, path: [name, n] }));
  return [...several('all', all), ...several('any', any), ...(not ? [{ filter: not, path: ['not'] }] : [])];
}

type Placed = { leaf: Leaf; path: Problem['path'] };

/** The comparisons of a filter, each with its path. */
export const placedLeaves = (filter: Filter, path: Problem['path'] = []): Placed[] =>
  filter.field === undefined
    ? partsOf(filter).flatMap((part) => placedLeaves(part.filter, [...path, ...part.path]))
    : [{ leaf: filter as Leaf, path }];

/** The comparisons of a filter. */
export const leavesOf = (filter: Filter): Leaf[] => placedLeaves(filter).map(({ leaf }) => leaf);

export const REMEDIES = { leaves: 'join values with commas', values: 'leave some out' };

/** The reason why a filter is too large, with what to do instead. */
export function sizeProblem(root: Filter, instead = REMEDIES): Problem | undefined {
  let leaves = 0;
  let values = 0;
  const visit = ({ filter, path }: Inner, depth: number): Problem | undefined => {
    if (depth > MAX_DEPTH) return { path, message: `is nested more than ${MAX_DEPTH} levels deep` };
    if (filter.field !== undefined) leaves += 1;
    if (leaves > MAX_LEAVES) return { path, message: `is more than ${MAX_LEAVES} comparisons: ${instead.leaves}` };
    values += [filter.value ?? []].flat().length;
    if (values > MAX_ALL_VALUES)
      return {
        path: [...path, 'value'],
        message: `is more than ${MAX_ALL_VALUES} values in all comparisons: ${instead.values}`,
      };
    for (const part of partsOf(filter)) {
      const problem = visit({ filter: part.filter, path: [...path, ...part.path] }, depth + 1);
      if (problem) return problem;
    }
    return undefined;
  };
  return visit({ filter: root, path: [] }, 1);
}
