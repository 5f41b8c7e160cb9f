import { expect, test } from 'vitest';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { answerRow, type Completion, completionId, findCompletion } from '#shared/scanning/leases/completion.ts';
import type { MachineAnswerResult } from '#shared/scanning/leases/results.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

/** A machine's attempts at a task, each of which it reported as told here a minute after the one before. */
async function reported(...results: (MachineAnswerResult | undefined)[]) {
  const clock = stopClock();
  const table = newOrganization(store.dynamo);
  const attempt = { taskId: newId(), machineId: newId() };
  for (const [n, result] of results.entries()) {
    clock.pass(60);
    const id = completionId({ ...attempt, attempt: n + 1 });
    if (result) await table.rows(taskRows).put(answerRow(table, { id, operation: 'complete_scanner_task', result }));
  }
  return (outcome: string, of: Partial<Completion> = {}) =>
    findCompletion(table, { ...attempt, attempt: results.length, ...of }, outcome).then((row) => row?.result);
}

const failed = (id: string): MachineAnswerResult => ({ outcome: 'failed', ingestTaskIds: [id] });
const completed: MachineAnswerResult = { outcome: 'completed', ingestTaskIds: ['c'] };

test('a failure that is sent again is answered as the latest one, not as that of an earlier attempt', async () => {
  expect(await (await reported(failed('a'), failed('b')))('failed')).toEqual(failed('b'));
  expect(await (await reported(failed('a'), failed('b'), undefined))('failed')).toEqual(failed('b'));
  expect(await (await reported(failed('a'), undefined, undefined))('failed')).toEqual(failed('a'));
});

test('the present attempt has one answer, whatever outcome is sent next', async () => {
  expect(await (await reported(failed('a'), completed))('failed')).toEqual(completed);
  expect(await (await reported(completed))('cancelled')).toEqual(completed);
});

test('a completion is no repeat of the failure of an earlier attempt', async () => {
  const find = await reported(failed('a'), undefined);
  expect(await find('completed')).toBeUndefined();
  expect(await find('cancelled')).toBeUndefined();
});

test('an earlier answer of an older release, which names no outcome, answers any repeat', async () => {
  const find = await reported({ ingestTaskIds: ['old'] }, undefined);
  for (const outcome of ['completed', 'failed']) expect(await find(outcome)).toEqual({ ingestTaskIds: ['old'] });
});

test('what another machine said, or of another task, is no answer', async () => {
  const find = await reported(completed);
  expect(await find('completed', { machineId: newId() })).toBeUndefined();
  expect(await find('completed', { taskId: newId() })).toBeUndefined();
});
