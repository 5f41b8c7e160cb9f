import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { bootstrap, createOrganization } from '#shared/credentials/bootstrap.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { REPORT_KINDS } from '#shared/reporting/report.ts';
import { openBrowser } from './browser.ts';
import { type Call, fill } from './report-pictures/organization.ts';
import { startLocalSystem } from './system.ts';

/**
 * `npm run pictures:reports` makes a report of each kind of an example organization on a system of its own. The pictures of their first
 * pages are in `docs/pictures/reports`, with those of the HTML of one report, light and dark; all files are in `dist/pictures/reports`.
 * `-- long` fills names to 200 letters, `-- empty` fills nothing; their pictures stay in `dist`. Look at them after each change of
 * shared/reporting. The pages need `pdftoppm` (poppler), which the service itself does not.
 */
const world = process.argv[2];
const isKept = world === undefined;
const folder = 'docs/pictures/reports';
const files = resolve('dist/pictures/reports');
const LANGUAGES = ['en', 'de', 'fr'] as const;
const LONG = ` of the department for partners in the ${'north-western-and-south-eastern-'.repeat(2)}${'x'.repeat(200)}`;

await rm(files, { recursive: true, force: true });
await Promise.all([mkdir(folder, { recursive: true }), mkdir(files, { recursive: true })]);
const system = await startLocalSystem({ port: 0 });
try {
  await bootstrap(system.connections);
  await makeAll();
  if (isKept) await takeHtml(join(files, 'executive-en.html'));
} finally {
  await system.stop();
}

async function makeAll(): Promise<void> {
  const name = `Example Retail Group${world === 'long' ? LONG : ''}`.slice(0, 120);
  const account = await createOrganization(system.connections, name);
  const call = await callerOf(account);
  const table = openTable(system.connections.dynamo, account.organizationId);
  const reportAt = async () => void (await made(call, { kind: 'executive' }));
  const about: Partial<Awaited<ReturnType<typeof fill>>> =
    world === 'empty' ? {} : await fill({ table, call, reportAt }, world === 'long' ? LONG : '');
  const { applicationId, teamId, engagementId } = about;
  const own: Partial<Record<string, object>> = {
    application: { applicationId },
    team: { teamId },
    engagement: { engagementId },
  };
  for (const kind of REPORT_KINDS)
    for (const language of LANGUAGES)
      if (world !== 'empty' || !own[kind]) await make(call, { kind, language, ...own[kind] });
}

async function callerOf({ clientId, clientSecret }: { clientId: string; clientSecret: string }): Promise<Call> {
  const answerTo = async (method: string, path: string, body: unknown, authorization: string) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(system.baseUrl + path, { method, headers, ...sent });
    const answer = z.record(z.string(), z.unknown()).parse(await response.json());
    if (response.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const { access_token: token } = await answerTo('POST', '/api/v1/oauth/token', credentials, '');
  return (method, path, body) => answerTo(method, path, body, `Bearer ${String(token)}`);
}

/** @returns the id of a report that is made */
async function made(call: Call, settings: { kind: string }): Promise<string> {
  const { taskId, resource } = await call('POST', '/api/v1/reports', { ...settings, classification: 'confidential' });
  let status: unknown;
  while (status !== 'succeeded') {
    ({ status } = await call('GET', `/api/v1/tasks/${String(taskId)}?waitSeconds=20`));
    if (status === 'failed') throw new Error(`the report ${settings.kind} failed`);
  }
  return String(Object(resource).id);
}

async function make(call: Call, settings: { kind: string; language: string }): Promise<void> {
  const id = await made(call, settings);
  const name = `${settings.kind.replaceAll('_', '-')}-${settings.language}`;
  for (const format of ['pdf', 'html']) {
    const { url } = await call('GET', `/api/v1/reports/${id}/file?format=${format}`);
    const bytes = await (await fetch(String(url))).arrayBuffer();
    await writeFile(join(files, `${name}.${format}`), new Uint8Array(bytes));
  }
  const toPng = promisify(execFile);
  await toPng('pdftoppm', ['-r', '70', '-png', `${name}.pdf`, name], { cwd: files });
  // the first page of each, and the second of the report to a board
  const pages = settings.kind === 'executive' ? [1, 2] : [1];
  if (isKept && (settings.language === 'en' || settings.kind === 'executive'))
    for (const page of pages) {
      const of = ['-r', '60', '-f', `${page}`, '-l', `${page}`, '-singlefile', '-png'];
      await toPng('pdftoppm', [...of, join(files, `${name}.pdf`), join(folder, `${name}-${page}`)]);
    }
}

async function takeHtml(html: string): Promise<void> {
  const browser = await openBrowser();
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width: 960, height: 1280 }, colorScheme });
      await page.goto(pathToFileURL(html).href);
      await page.screenshot({ path: join(folder, `executive-html-${colorScheme}.png`) });
      await page.close();
    }
  } finally {
    await browser.close();
  }
}
