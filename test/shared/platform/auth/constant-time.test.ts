import { timingSafeEqual } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { opens } from '#shared/platform/auth/credential.ts';
import { hashSecret, newSecret } from '#shared/platform/auth/token-format.ts';

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});

test('the time of a refusal does not reveal how much of a secret was right', () => {
  const secrets = [newSecret(), newSecret()];
  const kept = secrets.map((secret) => ({ hash: hashSecret(secret) }));
  const credential = { id: 'x', kind: 'api_key', name: 'x', secrets: kept } as const;
  for (const secret of [...secrets, newSecret()]) {
    vi.mocked(timingSafeEqual).mockClear();
    expect(opens({ ...credential, secrets: [...kept] }, secret)).toBe(secrets.includes(secret));
    expect(timingSafeEqual).toHaveBeenCalledTimes(2);
  }
});
