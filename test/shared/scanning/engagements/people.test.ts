import { expect, test } from 'vitest';
import { createServiceAccount } from '#shared/credentials/issue.ts';
import { revoke } from '#shared/credentials/revoke.ts';
import { serviceAccounts } from '#shared/credentials/service-account.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagementParts } from '#shared/scanning/engagements/engagement-part.ts';
import { checkPeople, createParts, updateParts } from '#shared/scanning/engagements/people.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

async function team() {
  const table = newOrganization(store.dynamo);
  const caller = { kind: 'user', id: newId(), name: 'Kim', role: 'analyst', organizationId: table.organizationId };
  const member = async (name: string) => (await createServiceAccount(table, { name, role: 'analyst' })).id;
  const check = (people: { leadId?: string | null; memberIds?: string[] }, before?: typeof people) => {
    const whole = (some: typeof people) => ({ leadId: null, memberIds: [], ...some });
    return checkPeople({ table, caller: caller as never }, whole(people), before && whole(before));
  };
  return { table, caller, member, check };
}

const refused = (path: string) => ({ code: 'validation_failed', details: [{ path }] });

test('an engagement is led by a known account and worked on by others, and strangers are refused by name', async () => {
  const { caller, member, check } = await team();
  const [ann, bob, stranger] = [await member('Ann'), await member('Bob'), newId()];
  await check({ leadId: ann, memberIds: [bob, caller.id] });
  await expect(check({ leadId: stranger, memberIds: [bob] })).rejects.toMatchObject(refused('leadId'));
  await expect(check({ leadId: ann, memberIds: [bob, stranger] })).rejects.toMatchObject(refused('memberIds'));
});

test('an account of another organization, or one that is revoked, takes no engagement', async () => {
  const [ours, theirs] = [await team(), await team()];
  await expect(ours.check({ leadId: await theirs.member('Eve') })).rejects.toMatchObject(refused('leadId'));
  const ann = await ours.member('Ann');
  await revoke(ours.table, serviceAccounts, ann);
  await expect(ours.check({ memberIds: [ann] })).rejects.toMatchObject(refused('memberIds'));
  await ours.check({ memberIds: [ann] }, { leadId: ann });
  await ours.check({ leadId: ann }, { memberIds: [ann] });
});

const engagementsOf = async (table: Table, personId: string) =>
  (await table.list(engagementParts, { parent: { person: personId }, paginateFrom: 0, paginateSize: 10 })).data;

test('each person has an engagement once in the own list, from the first to the last role in it', async () => {
  const { table, member } = await team();
  const [ann, bob, cem] = [await member('Ann'), await member('Bob'), await member('Cem')];
  const id = newId();
  const people = (leadId: string | null, ...memberIds: string[]) => ({
    leadId,
    memberIds,
    requestedBy: { id: ann, name: 'Ann' },
  });
  const current = people(bob, bob, ann);
  const made = table.batch();
  await createParts(table, made, { ...current, id });
  await made.commit();
  const lists = async () =>
    Promise.all([ann, bob, cem].map(async (one) => (await engagementsOf(table, one)).map((it) => it.engagementId)));
  expect(await lists()).toEqual([[id], [id], []]);
  const changed = table.batch();
  await updateParts(table, changed, { before: current, after: people(null, cem), id });
  await changed.commit();
  expect(await lists()).toEqual([[id], [], [id]]);
  const again = table.batch();
  await updateParts(table, again, { before: current, after: people(null), id });
  expect(again.size()).toBe(0);
  const idle = table.batch();
  await updateParts(table, idle, { before: people(null, cem), after: people(cem), id });
  expect(idle.size()).toBe(0);
});
