import { describe, expect, test } from 'vitest';
import { bulkDeciding, type StoredBulk } from '#shared/findings/bulk/findings.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { findingDraft } from '../../../support/findings.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
const seen = '2026-01-05T08:00:00.000Z';
const until = '2099-01-01T00:00:00.000Z';
const [ann, bea] = [
  { id: 'ann', name: 'Ann' },
  { id: 'bea', name: 'Bea' },
];

const finding = (fields: Partial<StoredFinding> = {}) =>
  ({ ...findingDraft(seen, fields), id: newId(), version: 1, acknowledgedAt: seen, ...fields }) as StoredFinding;
const decide = async (changes: StoredBulk['changes'], of = finding(), more: Partial<StoredBulk> = {}) => {
  const { decide: decideOn } = await bulkDeciding(newOrganization(store.dynamo), { changes, approver: bea, ...more });
  return decideOn(of);
};
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `t${n}`);
const changed = async (changes: StoredBulk['changes'], of?: StoredFinding) => Object(await decide(changes, of)).changes;

describe('a finding that has all values already is left alone', () => {
  test.each<[StoredBulk['changes'], Partial<StoredFinding>]>([
    [{ status: 'open' }, {}],
    [{ severity: 'high' }, {}],
    [{ assigneeId: null }, {}],
    [{ assigneeId: 'ann' }, { assignee: ann }],
    [{ tags: [] }, {}],
    [{ tags: ['a'] }, { tags: ['a'] }],
    [{ addTags: ['a'] }, { tags: ['a', 'b'] }],
    [{ removeTags: ['c'] }, { tags: ['a', 'b'] }],
    [{ dueAt: null }, { dueAt: undefined }],
    [{ dueAt: until }, { dueAt: until }],
    [{ acceptedUntil: null, restartSla: false, statusReason: null }, {}],
    [
      { acceptedUntil: until, restartSla: true },
      { status: 'risk_accepted', acceptedUntil: until, restartSla: true },
    ],
    [{ statusReason: 'x' }, { statusReason: 'x' }],
    [{ addRemediationId: 'r' }, { remediationIds: ['r'] }],
    [{ removeRemediationId: 'r' }, { remediationIds: ['s'] }],
    [{}, {}],
  ])('%o', async (changes, fields) => {
    expect(await decide(changes, finding(fields), { reason: 'why' })).toBeUndefined();
  });
});

describe('tags', () => {
  test('are added and removed, each once, in their former order', async () => {
    expect(await changed({ addTags: ['c', 'a', 'c'] }, finding({ tags: ['a', 'b'] }))).toEqual({
      tags: ['a', 'b', 'c'],
    });
    expect(await changed({ removeTags: ['a'] }, finding({ tags: ['a', 'b'] }))).toEqual({ tags: ['b'] });
    expect(await changed({ addTags: ['c'], removeTags: ['a', 'x'] }, finding({ tags: ['a', 'b'] }))).toEqual({
      tags: ['b', 'c'],
    });
  });

  test('are 30 of a finding at most, counted once others are taken away', async () => {
    const of = finding({ tags: numbered(29) });
    expect((await changed({ addTags: ['x'] }, of)).tags).toHaveLength(30);
    expect((await changed({ addTags: ['x', 'y'], removeTags: ['t0'] }, of)).tags).toHaveLength(30);
    await expect(changed({ addTags: ['x', 'y'] }, of)).rejects.toMatchObject({
      details: [{ path: 'addTags', message: 'would give the finding more than 30 tags' }],
    });
  });
});

describe('links to remediations', () => {
  test('alone are no decision on the finding', async () => {
    expect(await decide({ addRemediationId: 'r' }, finding(), { reason: 'why' })).toEqual({
      changes: { remediationIds: ['r'] },
      reason: 'why',
    });
    expect(await changed({ removeRemediationId: 'r' }, finding({ remediationIds: ['r', 's'] }))).toEqual({
      remediationIds: ['s'],
    });
    const both = { addRemediationId: 'new', removeRemediationId: 'old' };
    expect(await changed(both, finding({ remediationIds: ['old'] }))).toEqual({ remediationIds: ['new'] });
    expect(await changed(both, finding({ remediationIds: ['new', 'old'] }))).toEqual({ remediationIds: ['new'] });
    expect(await changed(both, finding())).toEqual({ remediationIds: ['new'] });
  });

  test('go with a decision in one change', async () => {
    expect(await changed({ addRemediationId: 'r', tags: ['x'] })).toEqual({ remediationIds: ['r'], tags: ['x'] });
  });
});

describe('a decision on many', () => {
  test('has the reason of the request, else that of the status', async () => {
    const status = { status: 'false_positive', statusReason: 'a mock' } as const;
    expect(await decide(status, finding(), { reason: 'why' })).toMatchObject({
      reason: 'why',
      changes: { statusReason: 'a mock' },
    });
    expect(await decide(status)).toMatchObject({ reason: 'a mock' });
    expect(await decide({ statusReason: null }, finding({ statusReason: 'x' }))).toMatchObject({ reason: undefined });
  });

  test('gives each finding its assignee, and only those who lack him', async () => {
    const more = { assignee: ann };
    expect(await decide({ assigneeId: 'ann' }, finding(), more)).toMatchObject({
      changes: { assignee: ann, status: 'in_progress' },
    });
    expect(await decide({ assigneeId: 'ann', status: 'open' }, finding(), more)).toMatchObject({
      changes: expect.not.objectContaining({ status: expect.anything() }),
    });
    expect(await decide({ assigneeId: 'ann', tags: ['x'] }, finding({ assignee: ann, tags: [] }), more)).toEqual({
      changes: { tags: ['x'] },
      reason: undefined,
    });
  });

  test('is approved by the person who is named', async () => {
    const accept = { status: 'risk_accepted', statusReason: 'soon', acceptedUntil: until } as const;
    expect(await changed(accept)).toMatchObject({ acceptedBy: bea, acceptedUntil: until });
  });
});
