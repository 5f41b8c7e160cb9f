import * as z from 'zod';
import { AREA_NAMES } from '#shared/platform/auth/levels.ts';
import { CLIENT_ROLES, type Holder, holds, STAFF_ROLES, type Use } from '#shared/platform/auth/permissions.ts';
import operations from './operations.json' with { type: 'json' };

/** Of each operation that a role can open what decides on it; `npm run docs` writes the file from the contract. */
const Operations = z.record(
  z.string(),
  z.object({
    role: z.enum(CLIENT_ROLES).exclude(['auditor']).optional(),
    area: z.enum([...AREA_NAMES, 'any']).optional(),
    staff: z.enum(STAFF_ROLES).optional(),
    approves: z.literal(true).optional(),
    /** `final`: a change that cannot be undone. */
    use: z.enum(['read', 'change', 'final']),
  }),
);

const entries = () => Object.entries(Operations.parse(operations));

/** The operations that a role opens. */
export const operationsOf = (holder: Holder): string[] =>
  entries().flatMap(([name, { use, ...access }]) =>
    holds(holder, access, use === 'read' ? use : 'change') ? [name] : [],
  );

/** The operations that cannot be undone, and that a role opens, or opens as far as reading goes. */
export const irreversibleOf = (holder: Holder, use: Use): string[] =>
  entries().flatMap(([name, { use: kind, ...access }]) =>
    kind === 'final' && holds(holder, access, use) ? [name] : [],
  );
