import { expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { startSystem } from '../support/system.ts';

const system = startSystem();
const anyone = system.client();

test('a monitor without a credential reads the state of the service under both paths', async () => {
  const working = {
    status: 'ok',
    version: packageFile.version,
    checks: [
      { name: 'table', status: 'ok', latencyMilliseconds: expect.any(Number) },
      { name: 'queues', status: 'ok', latencyMilliseconds: expect.any(Number) },
      { name: 'bucket', status: 'ok', latencyMilliseconds: expect.any(Number) },
    ],
  };
  expect(await anyone.ok('getStatus')).toEqual(working);
  expect(await anyone.ok('getUnversionedStatus')).toEqual(working);
});
