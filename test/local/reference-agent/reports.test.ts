import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { runAgent } from '#local/reference-agent/agent.ts';
import { listSoftware } from '#local/reference-agent/software.ts';
import { eventually } from '../../support/wait.ts';
import { type FakeService, startFakeService } from '../reference-scanner/fake-service.ts';

let service: FakeService;
let stateDirectory: string;
let stopping: AbortController;
let ended: Promise<unknown>;
beforeEach(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
  service = await startFakeService();
  stateDirectory = mkdtempSync(join(tmpdir(), 'agent-'));
  stopping = new AbortController();
});
afterEach(async () => {
  stopping.abort();
  await ended;
  await service.stop();
  rmSync(stateDirectory, { recursive: true });
  vi.restoreAllMocks();
});

const start = () => {
  const options = { url: service.url, linkToken: 'link', stateDirectory };
  ended = runAgent(options, stopping.signal).catch((error) => error);
};
const reports = async (count: number) => {
  await eventually(() => expect(service.called('report').length).toBeGreaterThanOrEqual(count));
  return service.called('report').map(({ body }) => body);
};

test('samples are sent until the service has confirmed them, and then no more', async () => {
  service.fail('report', 429, 503, 'lost answer');
  start();
  const [unanswered, repeated, later] = await reports(3);
  const [first] = z.array(z.unknown()).length(1).parse(unanswered?.samples);
  expect(repeated).toEqual(unanswered);
  expect(later?.samples).not.toContainEqual(first);
});

test('the software is reported once, and again when the service asks for it', async () => {
  const software = await listSoftware();
  start();
  const [first, second] = await reports(2);
  expect([first?.software, second?.software]).toEqual([software, undefined]);
  service.next.softwareWanted = true;
  const earlier = service.called('report').length;
  const asked = (await reports(earlier + 3)).slice(earlier).map((report) => report.software);
  expect(asked).toContainEqual(software);
});

test('an agent with a revoked credential ends instead of asking for ever', async () => {
  service.fail('report', 401, 401);
  start();
  expect(await ended).toMatchObject({ status: 401 });
});
