import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { runScanner } from '#local/reference-scanner/scanner.ts';
import { Tool } from '#local/reference-scanner/tools.ts';
import { eventually } from '../../support/wait.ts';
import { type FakeService, type Result, startFakeService } from './fake-service.ts';

let service: FakeService;
let directory: string;
let stopping: AbortController | undefined;
let ended: Promise<unknown>;

/** For each test of a file a service, and a scanner in a directory of its own that is started when the test says so. */
export function withScanner(): void {
  beforeEach(async () => {
    vi.spyOn(console, 'log').mockReturnValue();
    vi.spyOn(console, 'error').mockReturnValue();
    service = await startFakeService();
    directory = mkdtempSync(join(tmpdir(), 'scanner-'));
    ended = Promise.resolve();
  });
  afterEach(async () => {
    await stop();
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
    vi.restoreAllMocks();
  });
}

export const theService = (): FakeService => service;
export const inDirectory = (name: string): string => join(directory, name);
export const kept = (): string[] => readdirSync(inDirectory('state/results'));

/** A tool that runs this script; `process.argv[1]` is the target, then comes its parameter. */
export const script = (code: string, more: Partial<Tool> = {}): Tool =>
  Tool.parse({
    taskType: 'network',
    name: 'tool',
    command: process.execPath,
    arguments: ['--eval', code, '--', '{target}', '{depth}'],
    format: 'sarif',
    parameters: { depth: { pattern: '[0-9]{1,2}', default: '1' } },
    ...more,
  });
export const printArguments = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
/** JavaScript that leaves a text where `traceOfTool` finds it. */
export const leaveTrace = (text: string) =>
  `require("node:fs").writeFileSync(${JSON.stringify(inDirectory('trace'))}, String(${text}));`;
export const traceOfTool = (): string =>
  existsSync(inDirectory('trace')) ? readFileSync(inDirectory('trace'), 'utf8') : '';
export const forever = 'setInterval(() => {}, 1000);';

/** The answers of DNS in these tests. */
const NAMES: Record<string, string[]> = {
  'shop.example.com': ['2001:db8::7', '192.0.2.7', '192.0.2.8'],
  'db.example.com': ['192.0.2.7'],
  'inside.example.com': ['169.254.169.254'],
  'local.example.com': ['127.0.0.1'],
};

export function start(...tools: Tool[]): void {
  stopping = new AbortController();
  const installation = { url: service.url, linkToken: 'link', capacity: 2, name: 'test', tools };
  const resolve = async (name: string) => NAMES[name] ?? [];
  const options = { ...installation, stateDirectory: inDirectory('state'), resolve };
  ended = runScanner(options, stopping.signal).catch((error) => error);
}

/** Starts a scanner with this tool and gives it these tasks. */
export function give(tool: Tool, ...tasks: FakeService['next']['tasks']): void {
  start(tool);
  service.next.tasks.push(...tasks);
}

/** @returns what the scanner threw, if it did */
export async function stop(): Promise<unknown> {
  stopping?.abort();
  return ended;
}
export const endOfScanner = (): Promise<unknown> => ended;

export const task = (id: string, value = '127.0.0.1', parameters = {}, type = 'host') => ({
  id,
  type: 'network',
  target: { type, value },
  parameters,
  attempt: 1,
});
export const polls = (count: number) =>
  eventually(() => expect(service.called('new_tasks').length).toBeGreaterThanOrEqual(count));

export async function resultOf(taskId: string): Promise<Result | undefined> {
  await eventually(() => expect(service.results().map((result) => result.taskId)).toContain(taskId));
  return service.results().find((result) => result.taskId === taskId);
}

export function reportIn(result: Result | undefined): string {
  const [report] = (result?.reports ?? []) as { content: string }[];
  return gunzipSync(Buffer.from(report?.content ?? '', 'base64')).toString();
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
