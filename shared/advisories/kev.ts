import * as z from 'zod';

/**
 * A vulnerability that is known to be exploited: since when it is listed, and by when US agencies must have repaired
 * it.
 */
export const KevEntry = z.object({ addedAt: z.iso.date(), dueAt: z.iso.date(), ransomware: z.boolean() });
export type KevEntry = z.infer<typeof KevEntry>;
export type Kev = Record<string, KevEntry>;

export const kevIn = (content: Buffer): Kev => (content.length === 0 ? {} : (JSON.parse(content.toString()) as Kev));
