import { blockOf, countIn, SENDER } from '#shared/platform/quotas/windows.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';

const TEN_MINUTES = 600;

/**
 * The most beginnings of sign-ins from one address in ten minutes: each writes a row, and a company may have one address. All addresses
 * together have no limit, because an attacker who reached it would lock all people out.
 */
export const LIMITS = { link: 200, device: 60, provider: 300 } as const;

/** Counts the beginning of a sign-in. @throws limit_exceeded */
export const countBeginning = (dynamo: Dynamo, kind: keyof typeof LIMITS, ip: string): Promise<number> =>
  countIn(dynamo, {
    name: `sign-in-${kind}`,
    source: blockOf(ip, SENDER),
    most: LIMITS[kind],
    seconds: TEN_MINUTES,
    refusal: 'limit_exceeded',
  });
