import { isIP } from 'node:net';
import * as z from 'zod';

const CONDITION_FIELDS = [
  ...(['type', 'hostname', 'ip', 'tag', 'cloudTag', 'cloudAccount', 'repository', 'branch', 'zone', 'os'] as const),
] as const;
const CONDITION_OPERATORS = ['equals', 'in', 'matches', 'cidr', 'exists'] as const;
type ConditionField = (typeof CONDITION_FIELDS)[number];

/** A comparison of one field of an asset. */
export type Leaf = {
  field: ConditionField;
  /** The key of a cloud tag. */
  key?: string | undefined;
  operator: (typeof CONDITION_OPERATORS)[number];
  value?: string | string[] | undefined;
};

/** A test of assets: exactly one of `all`, `any`, `not` and `field` is there. */
export type Condition = Partial<Leaf> & {
  all?: Condition[] | undefined;
  any?: Condition[] | undefined;
  not?: Condition | undefined;
};

export const MAX_DEPTH = 5;
export const MAX_LEAVES = 50;
const MAX_VALUES = 100;
/** Values of all comparisons together: each may be a row of the index that a preview reads. */
export const MAX_ALL_VALUES = 200;
const Text = z.string().min(1).max(300);

const Node: z.ZodType<Condition> = z
  .strictObject({
    get all() {
      return z.array(Node).min(1).max(MAX_LEAVES).optional().meta({ description: 'each of these holds' });
    },
    get any() {
      return z.array(Node).min(1).max(MAX_LEAVES).optional().meta({ description: 'one of these holds' });
    },
    get not() {
      return Node.optional().meta({ description: 'this does not hold' });
    },
    field: z
      .enum(CONDITION_FIELDS)
      .optional()
      .meta({
        description:
          '`hostname`: names of hosts and of the sites of web applications; `os`: family, name, or name and version; `branch`: the ' +
          'scanned branches of a repository',
      }),
    key: Text.optional().meta({ description: 'the key of a `cloudTag`' }),
    operator: z.enum(CONDITION_OPERATORS).optional().meta({
      description:
        '`matches`: `*` matches any characters, the letter case does not count; `cidr`: of an `ip`, v4 or v6; `exists` takes no value',
    }),
    value: z
      .union([Text, z.array(Text).min(1).max(MAX_VALUES)])
      .optional()
      .meta({ description: 'a text; `in` takes several texts' }),
  })
  .superRefine((condition, context) => {
    const problem = problemOf(condition);
    if (problem) context.addIssue({ code: 'custom', input: condition, ...problem });
  })
  .meta({ id: 'AssetCondition', example: { field: 'tag', operator: 'equals', value: 'payments' } });

/** A stored condition: an earlier release may have accepted a larger one. */
export const StoredCondition: z.ZodType<Condition> = z.lazy(() => Node);

/** Lazy, so that a merge patch replaces it whole. */
export const Condition: z.ZodType<Condition> = z
  .lazy(() => Node)
  .superRefine((condition, context) => {
    const problem = sizeProblem(condition);
    if (problem) context.addIssue({ code: 'custom', input: condition, ...problem });
  });

type Problem = { path: (string | number)[]; message: string };

const KINDS = ['all', 'any', 'not', 'field'] as const;

function problemOf(condition: Condition): Problem | undefined {
  const [kind, second] = KINDS.filter((name) => condition[name] !== undefined);
  if (!kind) return { path: [], message: 'must have one of all, any, not and field' };
  if (second) return { path: [second], message: `must be left out beside ${kind}: wrap both in all or any` };
  if (kind === 'field') return leafProblem(condition as Leaf);
  const extra = (['key', 'operator', 'value'] as const).find((name) => condition[name] !== undefined);
  return extra && { path: [extra], message: `must be left out beside ${kind}` };
}

function leafProblem({ field, key, operator, value }: Leaf): Problem | undefined {
  if (field === 'cloudTag' && key === undefined) return { path: ['key'], message: 'is required: the key of the tag' };
  if (field !== 'cloudTag' && key !== undefined)
    return { path: ['key'], message: 'must be left out: only cloudTag has keys' };
  if (operator === undefined)
    return { path: ['operator'], message: `is required: one of ${CONDITION_OPERATORS.join(', ')}` };
  const wrong = valueProblem({ field, operator, value });
  return wrong === undefined ? undefined : { path: [wrong.path], message: wrong.message };
}

function valueProblem({ field, operator, value }: Leaf): { path: string; message: string } | undefined {
  if (operator === 'exists')
    return value === undefined ? undefined : { path: 'value', message: 'must be left out with exists' };
  if (operator === 'in')
    return Array.isArray(value) ? undefined : { path: 'value', message: 'must be a list of texts with in' };
  if (operator === 'cidr' && field !== 'ip') return { path: 'operator', message: 'cidr compares only the field ip' };
  if (typeof value !== 'string') return { path: 'value', message: `must be one text with ${operator}` };
  if (operator !== 'cidr' || isBlock(value)) return undefined;
  return { path: 'value', message: 'must be an address or a block such as 10.1.0.0/16 or 2001:db8::/32' };
}

/** An address or a CIDR (RFC 4632, RFC 4291). */
function isBlock(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes('%')) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128));
}

type Inner = { condition: Condition; path: (string | number)[] };

/** The conditions directly inside of one, each with its path from there. */
function partsOf({ all, any, not }: Condition): Inner[] {
  const several = (name: string, of: Condition[] = []) => of.map((condition, n) => ({ condition, path: [name, n] }));
  return [...several('all', all), ...several('any', any), ...(not ? [{ condition: not, path: ['not'] }] : [])];
}

/** A stored condition of an earlier release may have more. */
const TOO_MANY_VALUES =
  `is more than ${MAX_ALL_VALUES} values in all comparisons: leave some out, use matches or cidr, or write several rules. To ` +
  'keep a stored condition that has more, leave out the whole condition';

function sizeProblem(root: Condition): Problem | undefined {
  let leaves = 0;
  let values = 0;
  const visit = ({ condition, path }: Inner, depth: number): Problem | undefined => {
    if (depth > MAX_DEPTH) return { path, message: `is nested more than ${MAX_DEPTH} levels deep` };
    if (condition.field !== undefined) leaves += 1;
    if (leaves > MAX_LEAVES)
      return { path, message: `is more than ${MAX_LEAVES} comparisons: use in, or several rules` };
    values += [condition.value ?? []].flat().length;
    if (values > MAX_ALL_VALUES) {
      return { path: [...path, 'value'], message: TOO_MANY_VALUES };
    }
    for (const part of partsOf(condition)) {
      const problem = visit({ condition: part.condition, path: [...path, ...part.path] }, depth + 1);
      if (problem) return problem;
    }
    return undefined;
  };
  return visit({ condition: root, path: [] }, 1);
}
