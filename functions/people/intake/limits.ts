import { domainOf } from '#shared/people/owner-domain.ts';
import { blockOf, countIn, type Window } from '#shared/platform/quotas/windows.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';

const HOUR = 3600;
const TEN_MINUTES = 600;
const MINUTE = 60;

type Limit = Pick<Window, 'most' | 'seconds'>;

/** The most requests from one address block, about one address, about one domain, and of everybody: at most some hundred, which one row holds. */
export const LIMITS = {
  challenge: { block: { most: 60, seconds: TEN_MINUTES }, all: { most: 600, seconds: MINUTE } },
  signup: {
    block: { most: 10, seconds: HOUR },
    email: { most: 3, seconds: HOUR },
    domain: { most: 30, seconds: HOUR },
    all: { most: 300, seconds: HOUR },
  },
  verify: { block: { most: 30, seconds: HOUR }, all: { most: 600, seconds: HOUR } },
  sales: {
    block: { most: 10, seconds: HOUR },
    email: { most: 3, seconds: HOUR },
    domain: { most: 10, seconds: HOUR },
    all: { most: 100, seconds: HOUR },
  },
} satisfies Record<string, { block: Limit; email?: Limit; domain?: Limit; all: Limit }>;

type Operation = keyof typeof LIMITS;

const count = (dynamo: Dynamo, name: string, source: string, limit: Limit): Promise<number> =>
  countIn(dynamo, { name, source, ...limit });

/** Counts a request of an address. A caller who is refused here uses up nobody else's window. @throws rate_limited */
export const countBlock = (dynamo: Dynamo, operation: Operation, ip: string): Promise<number> =>
  count(dynamo, `${operation}-block`, blockOf(ip), LIMITS[operation].block);

/** Counts a request of everybody. @throws rate_limited */
export const countAll = (dynamo: Dynamo, operation: Operation): Promise<number> =>
  count(dynamo, `${operation}-all`, 'all', LIMITS[operation].all);

/** Counts a request about an address, whose challenge is solved. @throws rate_limited */
export async function countEmail(dynamo: Dynamo, operation: 'signup' | 'sales', email: string): Promise<void> {
  await count(dynamo, `${operation}-email`, mailboxOf(email), LIMITS[operation].email);
  await count(dynamo, `${operation}-domain`, domainOf(email), LIMITS[operation].domain);
  await countAll(dynamo, operation);
}

/** Many hosts deliver `ada+anything@` to `ada@`. */
const mailboxOf = (email: string): string => `${email.split(/[+@]/)[0]}@${domainOf(email)}`;

/** Requests for challenges in the window up to which challenges have the usual difficulty. */
const USUAL = { block: 5, all: 10 };
const HIGHEST_LEVEL = 5;

/** The difficulty: each doubling of the requests, of the address block or of everybody, doubles the work. */
export function levelOf(counted: { block: number; all: number }): number {
  const times = Math.max(counted.block / USUAL.block, counted.all / USUAL.all, 1);
  return Math.min(HIGHEST_LEVEL, Math.floor(Math.log2(times)));
}
