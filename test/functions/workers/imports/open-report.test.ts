import { afterAll, afterEach, expect, test } from 'vitest';
import { jobs } from '#shared/platform/jobs/jobs.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

test('a report that takes longer to read than a worker has fails at once and says so, and one in time is read', async () => {
  const { bucket } = world.connections;
  const { stream } = bucket;
  const mostMs = (jobs.ingest.timeoutSeconds - 30) * 1000;
  const readIn = async (milliseconds: number) => {
    const start = nowMs();
    setClock(() => start);
    bucket.stream = async (key) => {
      setClock(() => start + milliseconds);
      return stream(key);
    };
    const { status, error, result } = await world.ingest(world.newOrganization(), codeScan(sarif(problems(2))));
    setClock();
    return { status, error, created: result?.created };
  };
  expect(await readIn(mostMs)).toEqual({ status: 'succeeded', error: undefined, created: 2 });
  expect(await readIn(mostMs + 1)).toMatchObject({
    status: 'failed',
    error: { code: 'too_large', message: 'Reading the report takes over 270 seconds: split the scan.' },
  });
  bucket.stream = stream;
});
