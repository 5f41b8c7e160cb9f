import * as z from 'zod';
import { newId } from '#shared/platform/runtime/ids.ts';

export type Credentials = {
  baseUrl: string;
  organizationId: string;
  clientId: string;
  clientSecret: string;
  apiKey: string;
  linkToken: string;
};

const Token = z.object({ access_token: z.string() });
const Linked = z.object({ clientId: z.string(), clientSecret: z.string() });
const Made = z.object({ id: z.string() });
const Imported = z.object({ taskId: z.string() });
const Found = z.object({ data: z.tuple([z.object({ asset: z.object({ id: z.string() }) })]) });

/**
 * Reads an event of `events/` and fills its placeholders with credentials of this system: `{{apiKey}}` and the other
 * names of ready.json, `{{accessToken}}` of the administrator, `{{scannerToken}}`, `{{apexToken}}` and `{{integratorToken}}` of
 * machines that are linked for the event, `{{assetId}}` of an asset that a report makes for it, and
 * `{{applicationId}}` of a new application.
 */
export async function fillEvent(text: string, credentials: Credentials): Promise<unknown> {
  const known = new Map<string, string>(Object.entries(credentials));
  if (text.includes('{{accessToken}}')) known.set('accessToken', await accessToken(credentials, credentials));
  if (text.includes('{{scannerToken}}')) known.set('scannerToken', await scannerToken(credentials));
  if (text.includes('{{apexToken}}')) known.set('apexToken', await machineToken(credentials, 'apex'));
  if (text.includes('{{integratorToken}}')) known.set('integratorToken', await machineToken(credentials, 'integrator'));
  if (text.includes('{{assetId}}')) known.set('assetId', await assetId(credentials));
  if (text.includes('{{applicationId}}')) known.set('applicationId', await applicationId(credentials));
  const filled = text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => known.get(name) ?? placeholder);
  return JSON.parse(filled);
}

async function accessToken(
  { baseUrl }: Credentials,
  { clientId, clientSecret }: z.infer<typeof Linked>,
): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return Token.parse(await post(`${baseUrl}/api/v1/oauth/token`, body)).access_token;
}

async function scannerToken(credentials: Credentials): Promise<string> {
  const { baseUrl, linkToken } = credentials;
  const body = { linkToken, name: 'sample scanner', taskTypes: ['network'] };
  return accessToken(credentials, Linked.parse(await post(`${baseUrl}/api/v1/scanner_communication/link`, body)));
}

/** Links a machine of a kind that needs a link token of its own. */
async function machineToken(credentials: Credentials, kind: 'apex' | 'integrator'): Promise<string> {
  const { baseUrl } = credentials;
  const administrator = await accessToken(credentials, credentials);
  const made = await post(`${baseUrl}/api/v1/organization/link-tokens`, { kind }, administrator);
  const { linkToken } = z.object({ linkToken: z.string() }).parse(made);
  const body = { linkToken, name: `sample ${kind}` };
  return accessToken(credentials, Linked.parse(await post(`${baseUrl}/api/v1/${kind}_communication/link`, body)));
}

/** A new repository each time, because the event may delete the asset. */
async function assetId({ baseUrl, apiKey }: Credentials): Promise<string> {
  const results = [{ ruleId: 'sample', message: { text: 'a sample finding' } }];
  const content = JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'sample' } }, results }] });
  const body = { format: 'sarif', repository: `https://git.example.com/sample/${newId()}`, content };
  const { taskId } = Imported.parse(await post(`${baseUrl}/api/v1/findings/import?waitSeconds=20`, body, apiKey));
  const found = await send(`${baseUrl}/api/v1/findings?taskId=${taskId}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return Found.parse(found).data[0].asset.id;
}

async function applicationId(credentials: Credentials): Promise<string> {
  const url = `${credentials.baseUrl}/api/v1/software/applications`;
  const administrator = await accessToken(credentials, credentials);
  return Made.parse(await post(url, { name: `sample ${newId()}` }, administrator)).id;
}

function post(url: string, body: object, token?: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  return send(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function send(url: string, request: RequestInit): Promise<unknown> {
  const answer = await fetch(url, request);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
