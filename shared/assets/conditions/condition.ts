import { isIP } from 'node:net';
import * as z from 'zod';
import { MAX_LEAVES, MAX_VALUES, type Problem, sizeProblem, structureProblem } from '#shared/platform/filter/filter.ts';

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
    const problem = structureProblem(condition, (leaf) => leafProblem(leaf as Leaf));
    if (problem) context.addIssue({ code: 'custom', input: condition, ...problem });
  })
  .meta({ id: 'AssetCondition', example: { field: 'tag', operator: 'equals', value: 'payments' } });

/** A stored condition: an earlier release may have accepted a larger one. */
export const StoredCondition: z.ZodType<Condition> = z.lazy(() => Node);

/** Lazy, so that a merge patch replaces it whole. */
export const Condition: z.ZodType<Condition> = z
  .lazy(() => Node)
  .superRefine((condition, context) => {
    const problem = sizeProblem(condition, REMEDIES);
    if (problem) context.addIssue({ code: 'custom', input: condition, ...problem });
  });

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

/** A stored condition of an earlier release may have more. */
const REMEDIES = {
  leaves: 'use in, or several rules',
  values:
    'leave some out, use matches or cidr, or write several rules. To keep a stored condition that has more, leave out the whole condition',
};
