import { assets } from '#shared/assets/asset/asset.ts';
import { agents } from '#shared/scanning/agents/agent.ts';
import type { RequestOf } from './client.ts';
import type { TestMachine, TestOrganization } from './system.ts';
import { expectExact } from './verify.ts';

type Report = NonNullable<RequestOf<'reportAgent'>['body']>;

export const report = (agent: TestMachine, body: Report = {}) => agent.client.ok('reportAgent', { body });
export const debian = {
  family: 'linux',
  name: 'Debian',
  version: '13',
  build: '6.12',
  architecture: 'x86_64',
} as const;
export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
export const hourAgo = (hours: number, minute = 0) =>
  new Date((Math.floor(Date.now() / 3_600_000) - hours) * 3_600_000 + minute * 60_000).toISOString();
export const sample = (at: string, more = {}) => ({
  at,
  cpuPercent: 20,
  memoryPercent: 40,
  diskPercent: 60,
  rxBytes: 1_000,
  txBytes: 500,
  ...more,
});

export const expectExactCounters = ({ table }: TestOrganization) => expectExact(table, [agents, assets]);
