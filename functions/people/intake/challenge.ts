import * as z from 'zod';
import { objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';

export const PURPOSES = ['signup', 'sales'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** A task for a browser, whose solution costs a sender of many requests more than a person. */
export const Challenge = objectNamed('Challenge', {
  provider: z.enum(['altcha', 'turnstile']).meta({ description: 'the widget that solves the challenge' }),
  purpose: z.enum(PURPOSES),
  expiresAt: Timestamp.nullable().meta({ description: 'null: the provider decides' }),
  siteKey: z.string().nullable().meta({ description: 'of `turnstile`; its `action` is the `purpose`' }),
  parameters: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'of `altcha`, with `signature`: the challenge of its version 2' }),
  signature: z.string().nullable(),
});
export type Challenge = z.infer<typeof Challenge>;

/** `level`: 0 is the usual difficulty, each further level doubles it. */
export type Offered = { purpose: Purpose; level: number };

/** A solved challenge: what it is known by, and until when it could be sent again. */
type Solved = { id: string; expiresAt: string };

/** A kind of challenges. `judge` answers undefined for all that is no solution, and throws where it cannot know. */
export type Challenger = {
  offer(connections: Connections, offered: Offered): Promise<Challenge>;
  judge(connections: Connections, answer: { purpose: Purpose; solution: string }): Promise<Solved | undefined>;
};

/** Until a used challenge is forgotten: a minute after nobody takes it any more. */
export const forgottenAfter = (seconds: number): string => inSeconds(seconds + 60);
