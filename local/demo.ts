import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { demoTools } from './demo/demo-tools.ts';
import { scan, show, signIn } from './demo/steps.ts';
import { heading } from './demo/terminal.ts';
import { startWeakServer } from './demo/weak-server.ts';
import { runScanner } from './reference-scanner/scanner.ts';
import { startLocalSystem } from './system.ts';

/**
 * `npm run demo`: the main job from end to end on a system of its own. A scanner links, scans a weak server on the
 * loopback of this machine, and reports; findings and dashboards appear. Then the demo repairs the server, the next
 * scan does not find the vulnerability, and the finding closes automatically.
 */
const directory = mkdtempSync(join(tmpdir(), 'exposure-demo-'));
const { recorded, tools, mend } = demoTools(directory);
const system = await startLocalSystem({ port: 0 });
const weak = await startWeakServer();
const stopping = new AbortController();
try {
  const { linkToken, clientId, clientSecret } = await bootstrap(system.connections);
  heading(`the service runs at ${system.baseUrl}`);
  console.log(
    recorded
      ? 'Nmap is not installed: recorded reports of real scans are used'
      : 'Nmap is installed: real scans of 127.0.0.1',
  );
  const installation = { url: system.baseUrl, linkToken, name: 'demo-scanner', capacity: 1, tools };
  const scanner = runScanner({ ...installation, stateDirectory: directory, longestPauseSeconds: 1 }, stopping.signal);
  const client = await signIn(system.baseUrl, clientId, clientSecret);
  const story = async () => {
    await scan(client, 'First scan', weak.port);
    await show(client);
    weak.mend();
    mend();
    heading('the server was mended; the next scan no longer sees the vulnerability');
    await scan(client, 'Second scan', weak.port);
    await show(client);
  };
  // The error of a scanner that cannot work ends the demo.
  await Promise.race([story(), scanner]);
  stopping.abort();
  await scanner;
} finally {
  stopping.abort();
  await weak.stop();
  await system.stop();
  rmSync(directory, { recursive: true, force: true });
}
