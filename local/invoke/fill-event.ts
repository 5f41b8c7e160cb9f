import * as z from 'zod';

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

/**
 * Reads an event of `events/` and fills its placeholders with credentials of this system: `{{apiKey}}` and the other
 * names of ready.json, `{{accessToken}}` of the administrator, `{{scannerToken}}` and `{{apexToken}}` of a scanner and
 * an appliance that are linked for the event.
 */
export async function fillEvent(text: string, credentials: Credentials): Promise<unknown> {
  const known = new Map<string, string>(Object.entries(credentials));
  if (text.includes('{{accessToken}}')) known.set('accessToken', await accessToken(credentials, credentials));
  if (text.includes('{{scannerToken}}')) known.set('scannerToken', await scannerToken(credentials));
  if (text.includes('{{apexToken}}')) known.set('apexToken', await apexToken(credentials));
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

async function apexToken(credentials: Credentials): Promise<string> {
  const { baseUrl } = credentials;
  const administrator = await accessToken(credentials, credentials);
  const made = await post(`${baseUrl}/api/v1/organization/link-tokens`, { kind: 'apex' }, administrator);
  const { linkToken } = z.object({ linkToken: z.string() }).parse(made);
  const body = { linkToken, name: 'sample appliance' };
  return accessToken(credentials, Linked.parse(await post(`${baseUrl}/api/v1/apex_communication/link`, body)));
}

async function post(url: string, body: object, token?: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
