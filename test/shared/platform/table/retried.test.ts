import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withinTime } from '#shared/platform/runtime/deadline.ts';
import { setRandom } from '#shared/platform/runtime/random.ts';
import { isDoubtful, retried, Unprocessed } from '#shared/platform/table/io/retried.ts';

// no attempt waits for the one before it
beforeAll(() => setRandom(() => 0));
afterAll(() => setRandom());

type Failure = { name?: string; code?: string; CancellationReasons?: { Code?: string }[] };
const failure = (fields: Failure): Error => Object.assign(new Error('failed'), fields);
const cancelled = (...codes: (string | undefined)[]): Failure => ({
  name: 'TransactionCanceledException',
  CancellationReasons: codes.map((Code) => (Code === undefined ? {} : { Code })),
});

/** How often a request is sent that always fails so. */
async function attempts(error: Error): Promise<number> {
  let sent = 0;
  const send = () => {
    sent++;
    return Promise.reject(error);
  };
  await expect(retried(send)).rejects.toBe(error);
  return sent;
}

describe('a request to the table', () => {
  test.each<[string, Error]>([
    ['met another transaction', failure({ name: 'TransactionConflictException' })],
    ['came too often', failure({ name: 'ThrottlingException' })],
    ['was lost on its way', failure({ name: 'TimeoutError' })],
    ['found nobody', failure({ name: 'Error', code: 'ECONNREFUSED' })],
    ['met another transaction in one of its rows', failure(cancelled('None', 'TransactionConflict', undefined))],
    ['came too often for one of its rows', failure(cancelled('ThrottlingError', 'None'))],
    ['failed in the service for one of its rows', failure(cancelled('None', 'InternalServerError'))],
    ['was done in part', new Unprocessed(3)],
  ])('that %s is sent twenty times in all, and then fails', async (_, error) => {
    expect(await attempts(error)).toBe(20);
  });

  test.each<[string, Error]>([
    ['a condition does not hold', failure(cancelled('None', 'ConditionalCheckFailed'))],
    ['it is wrong', failure({ name: 'ValidationException' })],
    ['it is forbidden', failure({ name: 'AccessDeniedException', code: 'EPERM' })],
    ['no reason is known', failure({ name: 'TransactionCanceledException' })],
  ])('is sent once where %s', async (_, error) => {
    expect(await attempts(error)).toBe(1);
  });

  test('is sent as often as the time of its caller allows, of which three seconds are kept for the answer', async () => {
    const times = [9_000, 3_001, 3_000, 2_999, 9_000];
    const context = { getRemainingTimeInMillis: () => times.shift() ?? 0 } as Context;
    expect(await withinTime(context, () => attempts(new Unprocessed(1)))).toBe(4);
    expect(times).toEqual([9_000]);
  });

  test('that succeeds at last answers as one that succeeded at once', async () => {
    let sent = 0;
    const send = async () => (++sent < 20 ? Promise.reject(new Unprocessed(1)) : 'answer');
    expect(await retried(send)).toBe('answer');
  });
});

test('only a lost answer leaves it open whether the request was done', () => {
  const doubtful = [{ name: 'TimeoutError' }, { name: 'Error', code: 'ECONNRESET' }, { code: 'EPIPE' }];
  const certain = [{ name: 'ThrottlingException' }, { name: 'Error', code: 'ENOENT' }, {}];
  expect([...doubtful, ...certain].map((one) => isDoubtful(failure(one)))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
