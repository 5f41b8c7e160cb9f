import { DeliveryResult } from '#shared/code/integrations/result.ts';
import type { Results } from '#shared/platform/jobs/results.ts';

export const results = { receive_billing_event: DeliveryResult } satisfies Results;
