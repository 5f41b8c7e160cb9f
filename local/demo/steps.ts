import {
  AccessToken,
  type Client,
  Findings,
  openClient,
  Queued,
  ScannerTask,
  ScannerTasks,
  Summary,
  until,
} from './client.ts';
import { heading, progressBar, table } from './terminal.ts';

export async function signIn(baseUrl: string, client_id: string, client_secret: string): Promise<Client> {
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  const { access_token } = await openClient(baseUrl, 'none').post('/api/v1/oauth/token', form, AccessToken);
  return openClient(baseUrl, access_token);
}

/** Orders a scan of the port and follows it until its report is read. */
export async function scan(client: Client, title: string, port: number): Promise<void> {
  heading(title);
  // Every scan has the same parameters: a scan with other parameters would close no finding of the first one.
  const network = { ports: `T:${port}`, scripts: 'http-vuln-cve2011-3192' };
  const engagement = {
    title,
    kind: 'vulnerability_scan',
    targets: [{ type: 'host', value: '127.0.0.1' }],
    taskTypes: ['network'],
    parameters: { network },
  };
  const { resource } = await client.post('/api/v1/validation-operations/engagements', engagement, Queued);
  const bar = progressBar(title);
  const ask = async () => {
    const tasks = await tasksOf(client, resource.id);
    const failed = tasks.find(({ status }) => status === 'failed');
    if (failed) throw new Error(`the scan failed: ${failed.error?.message}`);
    const read = tasks.filter(({ result }) => result);
    bar(read.length, Math.max(1, tasks.length), tasks.map(stepOf).join(', '));
    return tasks.length > 0 && read.length === tasks.length ? true : undefined;
  };
  await until(ask, 120, title);
}

/** Reads the task itself, because the list leaves out the result of its report. */
async function tasksOf(client: Client, engagementId: string): Promise<ScannerTask[]> {
  const path = '/api/v1/validation-operations/scanner-tasks';
  const { data } = await client.get(`${path}?engagementId=${engagementId}`, ScannerTasks);
  return Promise.all(data.map(({ id }) => client.get(`${path}/${id}`, ScannerTask)));
}

const stepOf = ({ status, result }: ScannerTask): string =>
  status === 'completed' ? (result ? 'scanned, report read' : 'scanned, reading the report') : status;

/** Prints the findings and the dashboard that counts them. */
export async function show(client: Client): Promise<void> {
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
