import type * as z from 'zod';
import { live } from '#shared/platform/http/records.ts';
import { WhyOpen } from '../closing/why-open.ts';
import { Finding } from '../finding/finding.ts';

/** A finding as the operations on one finding answer it. */
export const ShownFinding = Finding.extend({
  whyOpen: live(
    WhyOpen.nullable().meta({ description: 'why no scan has closed the finding; null where it is not open' }),
  ),
}).meta({ id: 'Finding' });
export type ShownFinding = z.infer<typeof ShownFinding>;
