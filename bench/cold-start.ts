import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { areas } from '#functions/contract.ts';
import { bundle } from '#infra/bundle/bundle.ts';
import { packFunctions } from '#infra/bundle/pack.ts';
import { builtinHttp } from '#infra/bundle/plugins.ts';
import { service } from '#infra/service.ts';
import { type LocalSystem, startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { createLinkToken, createServiceAccount } from '#shared/credentials/issue.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { type Credentials, type FirstRequest, firstRequest, HUB_ACCOUNT } from './cold-start/first-request.ts';
import { coldStart, type Start } from './cold-start/process.ts';

const RUNS = 15;
const WARM_UP = 2;
const MAX_RATIO = 1.5;
const MAX_KILOBYTES = 450;

export type ColdStartRow = {
  area: string;
  operation: string;
  statusCode: number;
  medianMilliseconds: number;
  ratio: number;
  kilobytes: number;
  ok: boolean;
};
export type ColdStartTable = { title: string; rows: ColdStartRow[]; ok: boolean };

type Candidate = { name: string; file: string; bytes: number; request: FirstRequest };

/**
 * Measures the time from the start of a process to the answer of its first request, for each area's bundle and for a
 * bare bundle (client and one GetItem). The bare bundle is also CommonJS without the cost of `node:http`, with the
 * unchanged SDK. The runs take turns, so that a slow minute of the machine affects all bundles alike.
 */
export async function benchColdStart(): Promise<ColdStartTable> {
  const directory = mkdtempSync(join(tmpdir(), 'exposure-cold-'));
  const system = await startLocalSystem({ port: 0 });
  try {
    const [bare, ...candidates] = await prepare(directory, await credentialsOf(system));
    if (!bare) throw new Error('no bare bundle');
    const starts = await takeTurns([bare, ...candidates]);
    const yardstick = median(starts.get(bare) ?? []);
    const rows = candidates.map((candidate) => rowOf(candidate, starts.get(candidate) ?? [], yardstick));
    const title = `Cold start: process start to first answer; ${round(yardstick)} ms for the bare bundle`;
    return { title, rows, ok: rows.every(({ ok }) => ok) };
  } finally {
    await system.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function prepare(directory: string, credentials: Credentials): Promise<Candidate[]> {
  const { packed } = await packFunctions(service, directory);
  const candidates = areas.map((area) => ({
    name: area.name,
    file: join(directory, 'functions', area.name, 'index.js'),
    bytes: packed.find(({ name }) => name === area.name)?.bytes ?? 0,
    request: firstRequest(area, credentials),
  }));
  return [await bareCandidate(directory, candidates[0]?.request), ...candidates];
}

async function bareCandidate(directory: string, request: FirstRequest | undefined): Promise<Candidate> {
  if (!request) throw new Error('there are no areas');
  const { functions } = await bundle({ bare: 'bench/cold-start/bare.ts' }, [builtinHttp]);
  const code = functions.get('bare')?.code ?? new Uint8Array();
  mkdirSync(join(directory, 'bare'));
  const file = join(directory, 'bare/index.js');
  writeFileSync(file, code);
  return { name: 'bare', file, bytes: code.length, request };
}

async function takeTurns(candidates: Candidate[]): Promise<Map<Candidate, Start[]>> {
  const starts = new Map(candidates.map((candidate): [Candidate, Start[]] => [candidate, []]));
  for (let run = -WARM_UP; run < RUNS; run++) {
    for (const candidate of candidates) {
      const start = await coldStart(candidate.file, candidate.request.event);
      if (run >= 0) starts.get(candidate)?.push(start);
    }
  }
  return starts;
}

function rowOf({ name, bytes, request }: Candidate, starts: Start[], yardstick: number): ColdStartRow {
  const time = median(starts);
  const statusCode = starts[0]?.statusCode ?? 0;
  const [ratio, kilobytes] = [round(time / yardstick), Math.ceil(bytes / 1024)];
  // An answer of 401 or 500 would measure another path than the intended one.
  const ok = ratio <= MAX_RATIO && kilobytes <= MAX_KILOBYTES && [200, 400].includes(statusCode);
  return {
    area: name,
    operation: request.operation,
    statusCode,
    medianMilliseconds: round(time),
    ratio,
    kilobytes,
    ok,
  };
}

const median = (starts: Start[]): number =>
  starts.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)[Math.floor(starts.length / 2)] ?? 0;

const round = (value: number): number => Math.round(value * 100) / 100;

const Answer = z.object({
  access_token: z.string().default(''),
  clientId: z.string().default(''),
  clientSecret: z.string().default(''),
  webhookSecret: z.string().default(''),
});

async function credentialsOf({ connections, baseUrl }: LocalSystem): Promise<Credentials> {
  const { organizationId, clientId, clientSecret, apiKey, linkToken } = await bootstrap(connections);
  const table = openTable(connections.dynamo, organizationId);
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${await answer.text()}`);
    return Answer.parse(await answer.json());
  };
  const login = async (client_id: string, client_secret: string) => {
    const grant = { grant_type: 'client_credentials', client_id, client_secret };
    return (await post('/api/v1/oauth/token', grant)).access_token;
  };
  const about = { name: 'bench', instanceId: crypto.randomUUID(), taskTypes: ['network'] };
  const scanner = await post('/api/v1/scanner_communication/link', { linkToken, ...about });
  const linked = async (kind: 'apex' | 'integrator', more: object) => {
    const link = { kind, maxUses: 1, expiresAt: inSeconds(3600), zone: null, group: null } as const;
    const { linkToken } = await createLinkToken(table, link);
    return post(`/api/v1/${kind}_communication/link`, { ...more, linkToken });
  };
  const apex = await linked('apex', about);
  const integrator = await linked('integrator', { name: about.name, instanceId: about.instanceId });
  const staff = await createServiceAccount(table, { name: 'bench staff', role: 'platform_owner' });
  const [adminToken = '', staffToken = '', scannerToken = '', apexToken = '', integratorToken = ''] = await Promise.all(
    [{ clientId, clientSecret }, staff, scanner, apex, integrator].map((one) => login(one.clientId, one.clientSecret)),
  );
  const hub = { kind: 'codehost_a', name: 'bench', account: HUB_ACCOUNT };
  const { webhookSecret } = await post('/api/v1/integrations', hub, adminToken);
  const tokens = { adminToken, staffToken, scannerToken, apexToken, integratorToken };
  return { apiKey, ...tokens, clientId, clientSecret, webhookSecret };
}
