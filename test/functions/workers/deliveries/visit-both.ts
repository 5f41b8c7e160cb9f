import { visitReader } from '#functions/workers/deliveries/visit.ts';

/** Has a reader worked in its usual lane and in the one apart: one of the two passes it on. */
export async function visitBoth(...[context, woken]: Parameters<typeof visitReader>): Promise<void> {
  await visitReader(context, woken);
  await visitReader(context, { ...woken, apart: true });
}
