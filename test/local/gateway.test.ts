import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startGateway } from '#local/gateway.ts';

test('a caller that cuts the connection within its request leaves nothing in the output of npm start', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const gateway = await startGateway(0);
  onTestFinished(async () => {
    printed.mockRestore();
    await gateway.stop();
  });
  gateway.serve([]);
  const { port } = new URL(gateway.baseUrl);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST /api/v1/findings HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"a"');
  await sleep(50);
  socket.resetAndDestroy();
  await once(socket, 'close');
  await vi.waitFor(async () => expect((await fetch(`${gateway.baseUrl}/none`)).status).toBe(404));
  await sleep(50);
  expect(printed).not.toHaveBeenCalled();
});
