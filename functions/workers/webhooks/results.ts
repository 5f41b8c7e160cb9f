import { DeliveryResult } from '#shared/integrations/result.ts';
import type { Results } from '#shared/jobs/results.ts';

export const results = { receive_delivery: DeliveryResult } satisfies Results;
