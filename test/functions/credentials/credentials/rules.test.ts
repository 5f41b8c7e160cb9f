import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assertStaffFields, endOfLife, linkTokenEnd } from '#functions/credentials/credentials/rules.ts';
import { assertMayGive } from '#shared/credentials/give-role.ts';
import { settingRows } from '#shared/credentials/organization-settings.ts';
import { type Caller, ROLES, type Role } from '#shared/platform/auth/permissions.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
const start = Date.parse('2026-03-01T12:00:00.000Z');
beforeEach(() => setClock(() => start));
afterEach(() => setClock());

const DAY_MS = 86_400_000;
const timeAfter = (ms: number): string => new Date(start + ms).toISOString();
const wrongEnd = { code: 'validation_failed', details: [expect.objectContaining({ path: 'expiresAt' })] };

const who = { id: 'x', name: 'x', organizationId: 'x' };
const givenBy = (caller: Caller): Role[] =>
  ROLES.filter((role) => {
    try {
      assertMayGive(caller, { role });
      return true;
    } catch {
      return false;
    }
  });

test('nobody gives a role above the own one, staff below the owner give roles of staff alone, and who has none gives none', () => {
  const byRole = ROLES.map((role) => givenBy({ ...who, kind: 'service_account', role }));
  expect(byRole).toEqual([
    ['viewer'],
    ['auditor'],
    ['viewer', 'analyst'],
    ['viewer', 'auditor', 'analyst', 'admin'],
    ['viewer', 'auditor', 'analyst', 'admin', 'owner'],
    ['pentester'],
    ['pentester', 'manager'],
    [...ROLES],
  ]);
  expect(givenBy({ ...who, kind: 'api_key', scopes: ['findings:read'] })).toEqual([]);
  expect(givenBy({ ...who, kind: 'machine', machine: 'scanner' })).toEqual([]);
});

test('mail address and skills, which clients see, belong to staff alone', () => {
  const plain = { email: null, skills: [] };
  expect(() => assertStaffFields({ role: 'admin', ...plain })).not.toThrow();
  expect(() => assertStaffFields({ role: 'pentester', email: 'a@b.example', skills: ['web'] })).not.toThrow();
  expect(() => assertStaffFields({ role: 'admin', ...plain, email: 'a@b.example' })).toThrow(/email/);
  expect(() => assertStaffFields({ role: 'admin', ...plain, skills: ['web'] })).toThrow(/skills/);
});

describe('a link token', () => {
  test('ends after a day by itself, and at the asked time in UTC', () => {
    expect(linkTokenEnd(undefined)).toBe(timeAfter(DAY_MS));
    expect(linkTokenEnd('2026-03-01T14:00:00+01:00')).toBe('2026-03-01T13:00:00.000Z');
  });

  test('ends in the future and within a year, to the millisecond', () => {
    expect(linkTokenEnd(timeAfter(1))).toBe(timeAfter(1));
    expect(linkTokenEnd(timeAfter(366 * DAY_MS))).toBe(timeAfter(366 * DAY_MS));
    for (const wrong of [timeAfter(0), timeAfter(-1), timeAfter(366 * DAY_MS + 1)])
      expect(() => linkTokenEnd(wrong)).toThrowError(expect.objectContaining(wrongEnd));
  });
});

describe('a key or an account', () => {
  test('ends as asked or never where the organization sets no maximum', async () => {
    const table = newOrganization(store.dynamo);
    expect(await endOfLife(table, null)).toBe(null);
    expect(await endOfLife(table, '2036-03-01T14:00:00+01:00')).toBe('2036-03-01T13:00:00.000Z');
    expect(await endOfLife(table, timeAfter(1))).toBe(timeAfter(1));
    for (const past of [timeAfter(0), timeAfter(-1)])
      await expect(endOfLife(table, past)).rejects.toMatchObject(wrongEnd);
  });

  test('ends within the maximum of the organization, its last moment included', async () => {
    const table = newOrganization(store.dynamo);
    await table.rows(settingRows).put({ maximumCredentialDays: 1 });
    expect(await endOfLife(table, null)).toBe(timeAfter(DAY_MS));
    expect(await endOfLife(table, timeAfter(DAY_MS))).toBe(timeAfter(DAY_MS));
    await expect(endOfLife(table, timeAfter(DAY_MS + 1))).rejects.toMatchObject(wrongEnd);
  });
});
