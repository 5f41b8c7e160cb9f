import * as z from 'zod';
import type { Results } from '#shared/jobs/results.ts';

const RebuiltResult = z.object({ seen: z.int() }).meta({ id: 'RebuiltResult' });

export const results = { maintenance_views: RebuiltResult } satisfies Results;
