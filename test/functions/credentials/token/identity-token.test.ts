import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { provenClaims } from '#functions/credentials/token/identity-token.ts';
import { startJobIssuer } from '../../../support/job-issuer.ts';
import { startSystem } from '../../../support/system.ts';

/** The keys of issuers: read seldom, and again once an issuer has others. */
const { connections } = startSystem();
let issuer: Awaited<ReturnType<typeof startJobIssuer>>;
beforeAll(async () => {
  issuer = await startJobIssuer(connections.settings.TOKEN_ISSUER);
});
afterAll(() => issuer.stop());
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
afterEach(() => vi.useRealTimers());

const prove = (token: string) => provenClaims(connections, token, issuer.url);
const after = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

test('a rotated key counts within seconds, a withdrawn one ends within the hour, and jobs of the same key read nothing', async () => {
  const first = await issuer.gitlab();
  expect(await prove(first)).toMatchObject({ project_path: 'acme/shop' });
  await prove(await issuer.gitlab());
  expect(issuer.asked).toHaveLength(2);
  await issuer.rotate();
  await expect(prove(await issuer.gitlab())).rejects.toMatchObject({ code: 'invalid_grant' });
  expect(issuer.asked).toHaveLength(2);
  after(11);
  await prove(await issuer.gitlab());
  expect(issuer.asked).toHaveLength(3);
  await expect(prove(first)).rejects.toMatchObject({ code: 'invalid_grant' });
});

test('an issuer that calls itself otherwise, or that does not answer, is not believed', async () => {
  const url = `${issuer.url}/elsewhere`;
  const token = await issuer.gitlab();
  await expect(provenClaims(connections, token, url)).rejects.toMatchObject({
    code: 'invalid_grant',
    message: expect.stringContaining('calls itself'),
  });
  await expect(provenClaims(connections, token, 'http://127.0.0.1:9')).rejects.toMatchObject({
    code: 'invalid_grant',
    message: expect.stringContaining('cannot be read'),
  });
});
