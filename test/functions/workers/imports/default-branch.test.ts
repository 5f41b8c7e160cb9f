import { afterAll, expect, test } from 'vitest';
import { branchOn, claimOf, entityOf, findingsToMerge } from '#functions/workers/imports/branch.ts';
import type { OnBranch } from '#functions/workers/imports/on-branch.ts';
import { type Branch, branches } from '#shared/findings/branches/branch.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { StoredSubmission } from '#shared/ingest/submission.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { findingDraft } from '../../../support/findings.ts';
import { makeRepository } from '../../../support/repositories.ts';
import { dayOf } from './days.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

type Told = Partial<Pick<Branch, 'isDefault' | 'isGuessed' | 'formerNames'>>;
type Report = Pick<StoredSubmission, 'ref' | 'baseRef'>;

/** The branch of a report on a repository that has these branches already; one without any is not known at all. */
async function branchOf(report: Report, stood: Record<string, Told> = {}, onHost?: string) {
  const table = world.newOrganization();
  const { assetId } = onHost
    ? await makeRepository(table, 'codehost_b', { defaultBranch: onHost })
    : { assetId: newId() };
  const nothing = { isDefault: false, isGuessed: false, formerNames: [], lastScan: null, endedAt: null };
  for (const [name, told] of Object.entries(stood))
    await table.create(branches, { assetId, name, ...nothing, ...told });
  const isKnown = onHost !== undefined || Object.keys(stood).length > 0;
  const { branch, isMade, standard, defaultNames, base } = await branchOn(
    table,
    report as StoredSubmission,
    isKnown ? assetId : undefined,
  );
  const { id, name, isDefault, isGuessed, formerNames } = branch;
  const isRenamed = id !== undefined && id === standard?.id && name !== standard.name;
  return { name, isDefault, isGuessed, formerNames, isMade, isRenamed, standard: standard?.name, defaultNames, base };
}

const main = { isDefault: true, formerNames: ['old'] };
const guessed = { isDefault: true, isGuessed: true };

test.each<[string, Report, object]>([
  [
    'is not the default one, because it may be a pull request',
    { ref: 'next' },
    { isDefault: false, isGuessed: false, defaultNames: [] },
  ],
  [
    'is taken for the default one if others are merged into branches of this name',
    { ref: 'develop' },
    { isDefault: true, isGuessed: true, defaultNames: ['develop'] },
  ],
  ['is the default one if it has a usual name', { ref: 'main' }, { isDefault: true, isGuessed: false }],
  ['is the default one also without a name', {}, { name: '', isDefault: true, isGuessed: true, defaultNames: [''] }],
  ['is not the default one if it is to be merged', { ref: 'pull/7' }, { isDefault: false, defaultNames: [] }],
  [
    'is not the default one if it is compared with another',
    { ref: 'next', baseRef: 'main' },
    { isDefault: false, isGuessed: false, base: 'main', defaultNames: [] },
  ],
  [
    'is the default one if it is compared with itself',
    { ref: 'next', baseRef: 'next' },
    { isDefault: true, isGuessed: true, base: undefined },
  ],
  ['is no pull request that is compared with itself', { ref: 'pull/7', baseRef: 'pull/7' }, { isDefault: false }],
])('the first branch of a repository %s', async (_name, report, expected) => {
  const planned = { name: report.ref, isMade: false, standard: undefined, formerNames: [], ...expected };
  expect(await branchOf(report)).toMatchObject(planned);
});

test.each<[string, Report, Record<string, Told>, object]>([
  ['a report without a branch is of the default one', {}, { main }, { name: 'main', isMade: true, isDefault: true }],
  ['so is one that names it', { ref: 'main' }, { main }, { name: 'main', isMade: true, defaultNames: ['main', 'old'] }],
  [
    'another branch is a new one',
    { ref: 'next' },
    { main },
    {
      name: 'next',
      isMade: false,
      isDefault: false,
      isGuessed: false,
      standard: 'main',
      defaultNames: ['main', 'old'],
    },
  ],
  ['or the one that stands', { ref: 'next' }, { main, next: {} }, { name: 'next', isMade: true, isDefault: false }],
  ['it is compared with a third', { ref: 'next', baseRef: 'release' }, { main }, { base: 'release' }],
  ['or with the default one alone', { ref: 'next', baseRef: 'main' }, { main }, { base: undefined }],
  ['also by a former name of that', { ref: 'next', baseRef: 'old' }, { main }, { base: undefined }],
  ['and never with itself', { ref: 'next', baseRef: 'next' }, { main }, { base: undefined }],
  [
    'a usual name is that of the default branch that had none',
    { ref: 'main' },
    { '': { ...guessed, formerNames: ['old'] } },
    { name: 'main', isDefault: true, isGuessed: false, formerNames: ['', 'old'], isMade: false, isRenamed: true },
  ],
  ['another name is not', { ref: 'next' }, { '': guessed }, { isDefault: false, formerNames: [] }],
  ['nor a likely one', { ref: 'develop' }, { '': guessed }, { isDefault: false, formerNames: [] }],
  ['nor one that is to be merged', { ref: 'main', baseRef: 'next' }, { '': guessed }, { isDefault: false }],
  [
    'but one that is its own base',
    { ref: 'next', baseRef: 'next' },
    { '': guessed },
    { name: 'next', isDefault: true, isGuessed: true, formerNames: [''], isRenamed: true },
  ],
  [
    'one that was scanned before is the default one where there is none',
    { ref: 'next', baseRef: 'next' },
    { next: {} },
    { name: 'next', isDefault: true, isGuessed: true, isMade: false },
  ],
  ['but not where nothing says so', { ref: 'next' }, { next: {} }, { isDefault: false, isMade: true }],
  [
    'a usual name takes the place of one that was guessed',
    { ref: 'master' },
    { next: { ...guessed, formerNames: ['old'] } },
    {
      name: 'master',
      isDefault: true,
      isGuessed: false,
      formerNames: ['next', 'old'],
      isMade: false,
      isRenamed: false,
    },
  ],
  ['but not of one that was chosen', { ref: 'master' }, { next: main }, { isDefault: false, formerNames: [] }],
  ['nor where it is to be merged', { ref: 'main', baseRef: 'next' }, { next: guessed }, { isDefault: false }],
  ['nor does another name', { ref: 'develop' }, { next: guessed }, { isDefault: false, isGuessed: false }],
  [
    'nor one that was scanned before as another branch',
    { ref: 'main' },
    { next: guessed, main: {} },
    { name: 'main', isDefault: false, isMade: true },
  ],
])('%s', async (_name, report, stood, expected) => {
  expect(await branchOf(report, stood)).toMatchObject(expected);
});

test.each<[string, Report, Record<string, Told>, object]>([
  ['a usual name is not the default one', { ref: 'main' }, {}, { isDefault: false, isGuessed: false }],
  ['its name is', { ref: 'next' }, {}, { isDefault: true, isGuessed: false }],
  ['a branch that is its own base is not', { ref: 'main', baseRef: 'main' }, {}, { isDefault: false }],
  ['a report without a branch is of it', {}, {}, { name: 'next', isDefault: true, isGuessed: false }],
  ['it takes the place of a guess', {}, { other: guessed }, { name: 'next', isDefault: true, formerNames: ['other'] }],
  ['it names the branch that had no name', {}, { '': guessed }, { name: 'next', isDefault: true, isRenamed: true }],
  ['but not of what a person chose', { ref: 'next' }, { main }, { isDefault: false, standard: 'main' }],
])('where a code host names the default branch, %s', async (_name, report, stood, expected) => {
  expect(await branchOf(report, stood, 'next')).toMatchObject(expected);
});

test('requests to merge of every code host are recognized by their names', () => {
  const names = ['pull/7', 'merge-requests/7', 'pull-requests/7', 'fix/pull/7', 'pulled'];
  const stated = (name: string) => claimOf({ name, baseRef: name });
  expect(names.map(stated)).toEqual(['none', 'none', 'none', 'stated', 'stated']);
});

const on = (told: object): OnBranch =>
  ({ branch: { assetId: newId(), isDefault: true, ...told } }) as Partial<OnBranch> as OnBranch;

test('findings of a branch lie apart from those of the default one and of scans without a branch', () => {
  const places = [undefined, on({}), on({ isDefault: false })].map((one) => entityOf(one));
  expect(places).toEqual([findings, findings, branchFindings]);
});

test('a report on the default branch brings over the newest finding of each problem of its repository', async () => {
  const table = world.newOrganization();
  const onBranch = on({});
  const { assetId = '' } = onBranch.branch;
  const make = (problem: string | undefined, id = assetId) =>
    table.create(
      branchFindings,
      findingDraft(dayOf(0), { problem, ref: 'next', asset: { id, type: 'repository', name: 'shop', zone: null } }),
    );
  await make('c', newId());
  await make(undefined);
  await make('a');
  const [newest, other] = [await make('a'), await make('b')];
  const found = await findingsToMerge(table, onBranch);
  expect([...found].map(([problem, { id }]) => [problem, id]).sort()).toEqual([
    ['a', newest.id],
    ['b', other.id],
  ]);
  const none = [undefined, on({ assetId, isDefault: false }), on({ assetId: undefined })];
  for (const one of none) expect((await findingsToMerge(table, one)).size).toBe(0);
});
