import { expect, test } from 'vitest';
import { decideUndo } from '#functions/workers/imports/undo/decide-undo.ts';
import type { Undo } from '#functions/workers/imports/undo/undo.ts';
import type { Noted } from '#functions/workers/imports/undo-log.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { packState, unpackState } from '#shared/findings/view/scan-state.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { findingDraft } from '../../../support/findings.ts';
import { dayOf } from './days.ts';

/** The import that is undone came on day 1. */
const taskId = newId();
const id = newId();
const sightingOn = (day: number) => ({
  fingerprint: 'AAAAAAAAAAAAAAAAAAAAAA',
  contentHash: 'AAAAAAAAAAA',
  occurrences: 1,
  tool: 'zap',
  id,
  seenAt: Date.parse(dayOf(day)),
});
const stateOf = (day: number) => unpackState(packState([sightingOn(day)]));

const finding = (fields: Partial<StoredFinding> = {}): StoredFinding => ({
  ...findingDraft(dayOf(0)),
  id,
  version: 1,
  createdAt: dayOf(0),
  updatedAt: dayOf(0),
  createdBy: { kind: 'system', id: 's', name: 's' },
  ...fields,
});

const importOf = (said: Partial<Undo>) =>
  ({
    taskId,
    at: dayOf(1),
    closed: new Map(),
    reopened: new Map(),
    updated: new Map(),
    later: [],
    proofs: [],
    ...said,
  }) as unknown as Undo;

const noted = (from: Noted['from'], more: Partial<Noted> = {}) => new Map([[id, { id, from, ...more }]]);
const reason = `The import ${taskId} was undone.`;
const SEEN = 'A later scan saw it.';

type Case = [name: string, said: Partial<Undo>, finding: Partial<StoredFinding>, decision: unknown];

const decide = (said: Partial<Undo>, fields: Partial<StoredFinding>) => {
  const about = finding(fields);
  try {
    return decideUndo(importOf(said))({ ...about, contentHash: about.contentHash } as never);
  } catch (error) {
    return (error as Error).message;
  }
};

const closing = noted({ status: 'in_progress', fixedAt: null }, { seen: sightingOn(0) });
const closed = { status: 'fixed', fixedByTaskId: taskId, fixedAt: dayOf(1) } as const;
const opened = { changes: { status: 'in_progress', fixedAt: undefined }, reason, kind: 'opened' };
const laterTask = newId();
const proofOf = ({ tools = ['zap'], since = Date.parse(dayOf(2)), proves = true }) => [
  { proof: { taskId: laterTask, since, facts: { tools } }, proves: () => proves },
];
const said = (proof: Parameters<typeof proofOf>[0]) => ({ closed: closing, proofs: proofOf(proof) as never });

test.each<Case>([
  ['is as it was before', { closed: closing }, closed, opened],
  ['stays open where somebody opened it', { closed: closing }, { status: 'open' }, undefined],
  ['stays repaired where somebody else says so', { closed: closing }, { ...closed, fixedByTaskId: newId() }, undefined],
  [
    'stays repaired where a later scan does not find it',
    said({}),
    closed,
    `A later scan does not find it either: ${laterTask}.`,
  ],
  ['is open where a later scan is of another tool', said({ tools: ['nmap'] }), closed, opened],
  ['is open where a scan began before it was seen last', said({ since: Date.parse(dayOf(0)) }), closed, opened],
  ['is open where a later scan did not look for it', said({ proves: false }), closed, opened],
  [
    'is open where its last sighting is not known',
    { ...said({}), closed: noted({ status: 'in_progress', fixedAt: null }) },
    closed,
    opened,
  ],
])('a finding that an undone import closed %s', (_name, said, fields, decision) => {
  expect(decide(said, fields)).toEqual(decision);
});

const opening = noted({ status: 'fixed', fixedAt: dayOf(0), reopenedAt: null });
const returned = { status: 'open', reopenedAt: dayOf(1) } as const;
const fixed = { changes: { status: 'fixed', fixedAt: dayOf(0), reopenedAt: undefined }, reason, kind: 'fixed' };

test.each<Case>([
  ['is repaired again', { reopened: opening }, returned, fixed],
  [
    'is repaired again although somebody works on it',
    { reopened: opening },
    { ...returned, status: 'in_progress' },
    fixed,
  ],
  ['stays as somebody decided', { reopened: opening }, { ...returned, status: 'false_positive' }, undefined],
  ['stays open where it returned once more', { reopened: opening }, { ...returned, reopenedAt: dayOf(3) }, undefined],
  ['stays open where a later scan saw it', { reopened: opening, later: [stateOf(2)] }, returned, SEEN],
  ['is repaired again where no later scan saw it', { reopened: opening, later: [stateOf(1)] }, returned, fixed],
])('a finding that an undone import opened again %s', (_name, said, fields, decision) => {
  expect(decide(said, fields)).toEqual(decision);
});

test.each<Case>([
  ['is deleted', {}, { taskId }, 'delete'],
  ['is deleted although the import closed it too', {}, { taskId, ...closed }, 'delete'],
  [
    'stays where a later scan closed it',
    {},
    { taskId, fixedByTaskId: laterTask },
    `A later scan closed it: ${laterTask}.`,
  ],
  ['stays where a later scan saw it', { later: [stateOf(1), stateOf(2)] }, { taskId }, SEEN],
  ['is deleted where it was seen before alone', { later: [stateOf(0), stateOf(1)] }, { taskId }, 'delete'],
])('a finding that an undone import made %s', (_name, said, fields, decision) => {
  expect(decide(said, fields)).toEqual(decision);
});

const before = { title: 'Old words', severity: 'low', dueAt: dayOf(90), dueChosen: false };
const updating = { updated: noted(before, { hash: 'now' }) };
const told = { contentHash: 'now', dueChosen: false };
const restored = (changes: object) => ({ changes, reason, kind: 'restored' });
const { severity: reportedSeverity, ...texts } = before;
const rated = { ...texts, severity: 'high', severityOverridden: true, reportedSeverity };

test.each<Case>([
  ['says what it said before', updating, told, restored(before)],
  ['stays as another report tells it since', updating, { ...told, contentHash: 'newer' }, undefined],
  ['stays where a later scan saw it', { ...updating, later: [stateOf(2)] }, told, SEEN],
  ['keeps the severity that a person set', updating, { ...told, severityOverridden: true }, restored(rated)],
  [
    'keeps the date that a person set',
    updating,
    { ...told, dueChosen: true },
    restored({ title: 'Old words', severity: 'low' }),
  ],
  ['stays where the import did not change it', {}, told, undefined],
])('a finding of which an undone import said something else %s', (_name, said, fields, decision) => {
  expect(decide(said, fields)).toEqual(decision);
});
