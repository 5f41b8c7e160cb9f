import * as z from 'zod';
import { type Filter, MAX_LEAVES, MAX_VALUES, OPERATORS, problemOf, REMEDIES, sizeProblem } from './filter.ts';
import { FilterText } from './filter-text.ts';

const Text = z.string().min(1).max(300);

const Node: z.ZodType<Filter> = z
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
    field: Text.optional().meta({ description: 'a field of `GET /api/v1/filters/fields`' }),
    key: Text.optional().meta({ description: 'the key of a `cloudTag`' }),
    operator: z
      .enum(OPERATORS)
      .optional()
      .meta({
        description:
          '`in` takes several values; `exists` takes none; `before`, `after` and `within` compare days, `over` and `under` ' +
          'numbers and ages such as `30d`; `matches`: `*` stands for any characters; `cidr`: a block of addresses, v4 or v6',
      }),
    value: z
      .union([Text, z.array(Text).min(1).max(MAX_VALUES)])
      .optional()
      .meta({ description: 'a text; `in` takes several texts' }),
  })
  .superRefine((filter, context) => {
    const problem = problemOf(filter);
    if (problem) context.addIssue({ code: 'custom', input: filter, ...problem });
  })
  .meta({ id: 'Filter', example: { field: 'severity', operator: 'in', value: ['critical', 'high'] } });

const within = (instead: typeof REMEDIES): z.ZodType<Filter> =>
  z
    .lazy(() => Node)
    .superRefine((filter, context) => {
      const problem = sizeProblem(filter, instead);
      if (problem) context.addIssue({ code: 'custom', input: filter, ...problem });
    });

/** Lazy, so that a merge patch replaces it whole. */
export const FilterObject = within(REMEDIES);

/** A filter that is kept: an earlier release may have accepted a larger one. */
export const KeptFilter = z.union([FilterText, z.lazy(() => Node)]);

/** A filter as text or as JSON, in a body. */
export const FilterInput = z.union([FilterText, FilterObject]).meta({
  id: 'FilterInput',
  description: 'a filter as text, or the same as JSON (docs/filters.md)',
  example: 'severity:critical,high -tool:trivy due<7d',
});

/** A condition of a rule about assets as JSON. */
export const ConditionObject = within({
  leaves: 'use in, or several rules',
  values:
    'leave some out, use matches or cidr, or write several rules. To keep a stored condition that has more, leave out the whole condition',
});

/** A condition of a rule about assets: a filter. */
export const AssetCondition = z.union([FilterText, ConditionObject]).meta({
  id: 'AssetCondition',
  description: 'a filter of assets as text such as `type:host hostname:web-* ip:10.0.0.0/8`, or the same as JSON',
  example: { field: 'tag', operator: 'equals', value: 'payments' },
});
export type AssetCondition = z.infer<typeof AssetCondition>;
