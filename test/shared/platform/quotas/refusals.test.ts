import { expect, test } from 'vitest';
import { limitExceeded, QUOTAS, quotaNames } from '#shared/platform/quotas/quotas.ts';

test.each(quotaNames)(
  'the refusal of %s says what is limited, how much is used, when some is free, and who raises the limit',
  (name) => {
    const until = '2026-11-29T15:00:00.000Z';
    const { code, message, details } = limitExceeded(name, { limit: 20, used: 17, wanted: 4, until });
    const { unit, free } = QUOTAS[name];
    expect(code).toBe('limit_exceeded');
    expect(message).toBe(
      `Too many ${unit}: 17 of 20 are used, and 4 more are needed. Try again when ${free}, at the latest at ${until}. ` +
        'Administrators get a higher limit by another plan, or from the provider of the service: GET /api/v1/billing.',
    );
    expect(details).toEqual([{ path: name, message: '17 of 20' }]);
  },
);
