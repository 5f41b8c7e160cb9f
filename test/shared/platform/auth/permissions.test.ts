import { describe, expect, test } from 'vitest';
import {
  type Access,
  type Caller,
  describeAccess,
  isAdmin,
  isAllowed,
  isStaff,
  mayAcceptRisks,
  ROLES,
  type Role,
  type Scope,
} from '#shared/platform/auth/permissions.ts';

const who = { id: 'x', name: 'x', organizationId: 'x' };
const person = (role: Role, kind: 'user' | 'service_account' = 'user'): Caller => ({ ...who, kind, role });
const key = (...scopes: Scope[]): Caller => ({ ...who, kind: 'api_key', scopes });
const machine = (disabled = false): Caller => ({
  ...who,
  kind: 'machine',
  machine: 'scanner',
  ...(disabled && { disabled }),
});

/** Every access rule of the product decides by this function, so its answers are listed here and not derived from it. */
describe('who is admitted where', () => {
  test.each<[string, Access, Caller[], Caller[]]>([
    [
      'viewers',
      { role: 'viewer' },
      [
        person('viewer'),
        person('auditor'),
        person('analyst'),
        person('admin'),
        person('admin', 'service_account'),
        person('owner'),
      ],
      [person('platform_owner'), key('findings:read'), machine()],
    ],
    [
      'analysts',
      { role: 'analyst' },
      [person('auditor'), person('analyst'), person('admin'), person('owner')],
      [person('viewer'), person('platform_owner')],
    ],
    [
      'administrators',
      { role: 'admin' },
      [person('auditor'), person('admin'), person('owner')],
      [person('viewer'), person('analyst'), person('platform_owner')],
    ],
    [
      'owners',
      { role: 'owner' },
      [person('owner')],
      [person('viewer'), person('auditor'), person('analyst'), person('admin'), person('platform_owner')],
    ],
    [
      'pentesters',
      { staff: 'pentester' },
      [person('pentester'), person('manager'), person('platform_owner')],
      [person('viewer'), person('analyst'), person('admin'), key('findings:read'), machine()],
    ],
    [
      'managers',
      { staff: 'manager' },
      [person('manager'), person('platform_owner')],
      [person('pentester'), person('admin')],
    ],
    [
      'platform owners',
      { staff: 'platform_owner' },
      [person('platform_owner')],
      [person('pentester'), person('manager'), person('admin'), key(), machine()],
    ],
    [
      'administrators and managers',
      { role: 'admin', staff: 'manager' },
      [person('admin'), person('manager'), person('platform_owner')],
      [person('analyst'), person('pentester'), key(), machine()],
    ],
    [
      'keys with a scope',
      { scope: 'soc:read' },
      [key('soc:read'), key('findings:read', 'soc:read')],
      [key(), key('soc:write'), person('admin'), person('platform_owner'), machine()],
    ],
    [
      'keys with one of two scopes',
      { scope: ['soc:read', 'soc:write'] },
      [key('soc:read'), key('soc:write')],
      [key('findings:read')],
    ],
    ['scanners', { machines: ['scanner', 'apex'] }, [machine()], [machine(true), person('admin'), key('soc:read')]],
    [
      'also disabled scanners',
      { machines: ['scanner'], draining: true },
      [machine(), machine(true)],
      [key('soc:read')],
    ],
    ['no key', { role: 'analyst', scope: 'soc:write', approves: true }, [person('analyst')], [key('soc:write')]],
    ['keys that accept no risk', { scope: 'soc:write', approves: 'risks' }, [key('soc:write')], [key()]],
    ['other machines', { machines: ['apex'] }, [], [machine()]],
    ['no machine', { role: 'viewer', scope: 'soc:read' }, [], [machine()]],
    ['everyone', 'public', [person('viewer'), key(), machine(true)], []],
    ['every valid credential', 'authenticated', [person('pentester'), key(), machine()], [machine(true)]],
  ])('%s', (_, access, admitted, refused) => {
    for (const caller of admitted) expect(isAllowed(caller, access), JSON.stringify(caller)).toBe(true);
    for (const caller of refused) expect(isAllowed(caller, access), JSON.stringify(caller)).toBe(false);
  });
});

test.each<[Access, Role[]]>([
  [{ role: 'viewer' }, ['viewer', 'analyst', 'admin', 'owner']],
  [{ role: 'analyst', area: 'soc' }, ['analyst', 'admin', 'owner']],
  [{ role: 'analyst', approves: true }, ['analyst', 'admin', 'owner']],
  [{ role: 'admin' }, ['admin', 'owner']],
  [{ role: 'owner' }, ['owner']],
])('an auditor changes nothing: %j', (access, roles) => {
  expect(ROLES.filter((role) => isAllowed(person(role), access, 'change'))).toEqual(roles);
});

test('only an administrator approves what is dangerous, and only staff see the engagements of several clients', () => {
  const others = [key('scans:trigger'), machine()];
  expect([...ROLES.map((role) => person(role)), ...others].map((caller) => mayAcceptRisks(caller))).toEqual([
    false,
    false,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(ROLES.filter((role) => isAdmin(person(role), 'scanning'))).toEqual(['admin', 'owner']);
  expect(ROLES.filter((role) => isStaff(person(role)))).toEqual(['pentester', 'manager', 'platform_owner']);
  for (const caller of others) expect([isAdmin(caller, 'scanning'), isStaff(caller)]).toEqual([false, false]);
});

test.each<[Access, string]>([
  ['public', 'no credential'],
  ['authenticated', 'any valid credential'],
  [{ role: 'admin' }, 'the role admin'],
  [{ role: 'admin', staff: 'manager' }, 'the role admin, or the staff role manager'],
  [
    { role: 'viewer', scope: ['findings:read', 'soc:read'] },
    'the role viewer, or an API key with the scope findings:read or soc:read',
  ],
  [{ machines: ['scanner', 'apex'], draining: true }, 'a linked scanner or apex'],
  [{ machines: ['scanner'] }, 'a linked scanner that is enabled'],
  [{ role: 'admin', approves: true }, 'the role admin; an API key approves nothing'],
])('a refusal of %j tells what would do', (access, text) => {
  expect(describeAccess(access)).toBe(text);
});
