import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  AccessToken,
  type Client,
  Findings,
  openClient,
  Queued,
  ScannerTasks,
  Summary,
  until,
} from '#local/demo/client.ts';
import { heading, progressBar, table } from '#local/demo/terminal.ts';
import { startWeakServer } from '#local/demo/weak-server.ts';
import { runScanner } from '#local/reference-scanner/scanner.ts';
import { defaultTools, Tool } from '#local/reference-scanner/tools.ts';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/auth/bootstrap.ts';

/**
 * `npm run demo`: the main job from end to end on a system of its own. A scanner links, scans a weak server that runs
 * on this machine's loopback for the demo, and reports; findings and dashboards appear; the server is mended, the next
 * scan no longer sees the vulnerability, and the finding closes by itself.
 */
const nmapInstalled = spawnSync('nmap', ['--version']).status === 0;
const directory = mkdtempSync(join(tmpdir(), 'exposure-demo-'));
const system = await startLocalSystem({ port: 0 });
const weak = await startWeakServer();
const stopping = new AbortController();
try {
  const { linkToken, clientId, clientSecret } = await bootstrap(system.ports);
  heading(`the service runs at ${system.baseUrl}`);
  console.log(
    nmapInstalled
      ? 'Nmap is installed: real scans of 127.0.0.1'
      : 'Nmap is not installed: recorded reports of real scans are used',
  );
  const scanner = runScanner(
    { url: system.baseUrl, linkToken, stateDirectory: directory, name: 'demo-scanner', capacity: 1, tools: tools() },
    stopping.signal,
  );
  const client = await signIn(clientId, clientSecret);
  await scan(client, 'First scan');
  await show(client);
  weak.mend();
  heading('the server was mended; the next scan no longer sees the vulnerability');
  await scan(client, 'Second scan');
  await show(client);
  stopping.abort();
  await scanner;
} finally {
  stopping.abort();
  await weak.stop();
  await system.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function signIn(client_id: string, client_secret: string): Promise<Client> {
  const anyone = openClient(system.baseUrl, 'none');
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  const { access_token } = await anyone.post('/api/v1/oauth/token', form, AccessToken);
  return openClient(system.baseUrl, access_token);
}

/** Without Nmap the scanner runs a command that prints the recorded report instead. */
function tools(): Tool[] {
  if (nmapInstalled) return [...defaultTools];
  const print = 'process.stdout.write(require("node:fs").readFileSync(process.argv[1]))';
  const recorded = fileURLToPath(new URL('../events/reports/nmap-{scan}-server.xml', import.meta.url));
  const parameters = { scan: { pattern: 'weak|mended', default: 'weak' } };
  const replay = { taskType: 'network', name: 'nmap', command: process.execPath, format: 'nmap', parameters };
  return [Tool.parse({ ...replay, arguments: ['--eval', print, recorded] })];
}

let scans = 0;

async function scan(client: Client, title: string): Promise<void> {
  heading(title);
  const network = {
    ports: `T:${weak.port}`,
    scripts: 'http-vuln-cve2011-3192',
    scan: scans++ === 0 ? 'weak' : 'mended',
  };
  const engagement = {
    title,
    kind: 'vulnerability_scan',
    targets: [{ type: 'host', value: '127.0.0.1' }],
    taskTypes: ['network'],
    parameters: { network },
  };
  const { resource } = await client.post('/api/v1/validation-operations/engagements', engagement, Queued);
  const bar = progressBar(title);
  await until(
    async () => {
      const { data } = await client.get('/api/v1/validation-operations/scanner-tasks?paginateSize=50', ScannerTasks);
      const tasks = data.filter(({ engagementId }) => engagementId === resource.id);
      const done = tasks.filter(({ status, result }) => status === 'failed' || (status === 'completed' && result));
      const failed = tasks.find(({ status }) => status === 'failed');
      if (failed) throw new Error(`the scan failed: ${failed.error?.message}`);
      bar(done.length, Math.max(1, tasks.length), tasks.map(({ status }) => status).join(' '));
      return tasks.length > 0 && done.length === tasks.length ? true : undefined;
    },
    120,
    title,
  );
}

async function show(client: Client): Promise<void> {
  const { data } = await client.get('/api/v1/findings?paginateSize=25', Findings);
  const rows = data.map(({ severity, status, asset, location, title, cves }) => [
    severity,
    status,
    asset.name,
    location,
    cves.join(' '),
    title,
  ]);
  console.log(`\n${table(['severity', 'status', 'asset', 'location', 'CVE', 'title'], rows)}`);
  const summary = await client.get('/api/v1/dashboards/overview/system/findings', Summary);
  const bySeverity = Object.entries(summary.openBySeverity).map(([severity, count]) => `${severity} ${count}`);
  console.log(`\n  ${summary.total} findings, ${summary.open} open (${bySeverity.join(', ')})`);
  console.log(`  in seven days: ${summary.opened7d} opened, ${summary.fixed7d} fixed`);
}
