import { expect, test } from 'vitest';
import { grant } from '#functions/credentials/token/grant.ts';
import type { Credential } from '#shared/platform/auth/credential.ts';

const client = (credential: Omit<Credential, 'id' | 'name' | 'secrets'>) => ({
  organizationId: 'org',
  id: 'id',
  credential: { id: 'id', name: 'CI', secrets: [], ...credential } as Credential,
});
const key = client({ kind: 'api_key', scopes: ['findings:read', 'soc:read'], generation: 2 });
const account = client({ kind: 'service_account', role: 'viewer' });
const scanner = client({ kind: 'machine', machine: 'scanner' });
const tooMuch = expect.objectContaining({ code: 'invalid_scope' });

test.each([
  ['', 'findings:read soc:read'],
  ['soc:read', 'soc:read'],
  ['  soc:read   soc:read ', 'soc:read'],
  ['soc:read findings:read', 'findings:read soc:read'],
])('a key that asks for %j gets %j, each scope once', (asked, scope) => {
  const common = { sub: 'id', org: 'org', name: 'CI', generation: 2 };
  expect(grant(key, asked)).toEqual({ claims: { ...common, kind: 'api_key', scopes: scope.split(' ') }, scope });
});

test('a key without scopes gets a token without any', () => {
  const none = client({ kind: 'api_key' });
  expect(grant(none)).toMatchObject({ claims: { scopes: [] }, scope: '' });
  expect(() => grant(none, 'findings:read')).toThrowError(tooMuch);
});

test('an account and a machine get the one scope that they have, also by its name, and no other', () => {
  for (const asked of [undefined, '', 'role:viewer', 'role:viewer role:viewer'])
    expect(grant(account, asked)).toMatchObject({
      claims: { kind: 'service_account', role: 'viewer' },
      scope: 'role:viewer',
    });
  for (const asked of [undefined, 'machine:scanner'])
    expect(grant(scanner, asked)).toMatchObject({
      claims: { kind: 'machine', machine: 'scanner' },
      scope: 'machine:scanner',
    });
  for (const asked of ['role:admin', 'role:viewer role:admin', 'findings:read'])
    expect(() => grant(account, asked)).toThrowError(tooMuch);
  for (const asked of ['machine:apex', 'machine:scanner machine:apex', 'role:viewer'])
    expect(() => grant(scanner, asked)).toThrowError(tooMuch);
});

test('a credential that names neither role nor machine gets no token', () => {
  for (const kind of ['service_account', 'machine', 'link_token'] as const)
    expect(() => grant(client({ kind }))).toThrowError(/neither role nor machine/);
  expect(() => grant(client({ kind: 'link_token', machine: 'scanner' }))).toThrowError(/neither role nor machine/);
  expect(() => grant(client({ kind: 'machine', role: 'admin' }))).toThrowError(/neither role nor machine/);
});
