import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { refreshFeeds } from '#functions/workers/advisories/index.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { giveSubscriptions } from '#shared/notifications/defaults.ts';
import { consolePages } from './console.ts';
import { DataDirInUse } from './data-dir-lock.ts';
import { describeFeeds, localFeeds } from './feeds.ts';
import { ownerLink } from './owner.ts';
import { writePrivate } from './private-file.ts';
import { dataDirOption } from './running-system.ts';
import { type LocalSystem, startLocalSystem } from './system.ts';

/** `npm start`: runs the whole service on this machine, with a first organization for trials. */
const values = readOptions();

/** The content of `<data dir>/ready.json`, written once the service answers. */
const Ready = z.object({
  baseUrl: z.string(),
  organizationId: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  apiKey: z.string(),
  linkToken: z.string(),
  /** Absent in a file of an earlier release. */
  billingWebhookSecret: z.string().optional(),
  pid: z.number(),
});
type Ready = z.infer<typeof Ready>;

const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  fail(`--port must be a number from 0 to 65535, not ${values.port}`);
const directory = resolve(values['data-dir']);
const readyFile = join(directory, 'ready.json');
// A system that keeps its state in the directory needs its credentials at the next start.
const writesReady = !values.memory || !existsSync(join(directory, 'secrets.json'));
process.umask(0o077); // also of the engine's process: the data are the user's alone
for (const [setting, address] of Object.entries(localFeeds())) process.env[setting] ??= address;
const system = await start();
await refreshFeeds(system.connections).catch((error: Error) => console.error(error.message));
const ready = { ...(await credentials(system)), baseUrl: system.baseUrl, pid: process.pid };
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
if (writesReady) writeReady();
const signInLink = await ownerLink(system, ready.organizationId);
console.log(welcome(ready, await describeFeeds(system.connections)));

function readOptions() {
  try {
    return parseArgs({
      options: {
        ...dataDirOption,
        port: { type: 'string', default: '3000' },
        memory: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    fail(
      `${error instanceof Error ? error.message : error}\nusage: npm start -- [--port N] [--data-dir DIR] [--memory]`,
    );
  }
}

async function start(): Promise<LocalSystem> {
  try {
    return await startLocalSystem({
      port,
      dataDir: values.memory ? undefined : directory,
      workersBeside: true,
      // the API works without the console
      pages: consolePages().catch((error: Error) => void console.error(error.message)),
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') fail(`port ${port} is taken; choose another with: npm start -- --port 0`);
    if (error instanceof DataDirInUse) fail(error.message);
    throw error;
  }
}

/** Creates the first organization once; a later start finds it again and only creates a new link token. */
async function credentials({ connections }: LocalSystem): Promise<Omit<Ready, 'baseUrl' | 'pid'>> {
  const earlier =
    values.memory || !existsSync(readyFile) ? undefined : Ready.parse(JSON.parse(readFileSync(readyFile, 'utf8')));
  const { secrets, settings } = connections;
  return {
    ...(await bootstrap(connections, earlier, giveSubscriptions)),
    billingWebhookSecret: await secrets.get(settings.BILLING_SECRET),
  };
}

function writeReady(): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writePrivate(readyFile, ready);
}

function welcome(ready: Ready, feeds: string): string {
  const { baseUrl, clientId, clientSecret, apiKey, linkToken, billingWebhookSecret } = ready;
  return `
Security exposure management is ready at ${baseUrl}   (the console; API reference: ${baseUrl}/docs)

  sign in        ${signInLink}
                 (works once, for a day; each start prints another; letters to people are files in ${system.connections.settings.MAIL_DIR})
  administrator  client_id ${clientId}
                 client_secret ${clientSecret}
  API key        ${apiKey}
  link token     ${linkToken}   (for scanners)
  billing        ${billingWebhookSecret}   (signs events of the payment processor)

Data about vulnerabilities (docs/operate.md, Feeds about vulnerabilities):

${feeds}

Try these three commands:

  1. Import a report as a CI job would, and wait for the result:
     curl -s '${baseUrl}/api/v1/findings/import?waitSeconds=20' -H 'Authorization: Bearer ${apiKey}' \\
       -H 'Content-Type: application/json' -d @events/import-sarif.json
  2. See the findings:
     curl -s '${baseUrl}/api/v1/findings?paginateSize=5' -H 'Authorization: Bearer ${apiKey}'
  3. Read the dashboard:
     curl -s '${baseUrl}/api/v1/dashboards/overview/system/findings' -H 'Authorization: Bearer ${apiKey}'

The whole job with a scanner: npm run demo
${values.memory ? 'The data is in memory and is lost when the service stops' : `The data is kept in ${directory}`}${writesReady ? `; the credentials are in ${readyFile}` : ''}.
`;
}

async function stop(): Promise<void> {
  await system.stop();
  if (values.memory && writesReady) rmSync(readyFile, { force: true });
  process.exit(0);
}

function fail(message: string): never {
  console.error(message);
  process.exit(64);
}
