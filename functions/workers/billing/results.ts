import { DeliveryResult } from '#shared/integrations/result.ts';
import type { Results } from '#shared/jobs/results.ts';

export const results = { receive_billing_event: DeliveryResult } satisfies Results;
