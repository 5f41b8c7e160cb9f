import { reachOf } from '#shared/platform/outgoing/ask.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import type { Recorder } from '#shared/platform/outgoing/record-call.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Integration } from '../integrations/integration.ts';
import { readSecret } from '../integrations/secret.ts';
import type { CodeHostApi } from './code-host.ts';

/**
 * The code host of an integration, with the access that the organization gave.
 * @param record keeps what is written there
 * @throws HostError
 */
export async function openHost(context: Context, integration: Integration, record?: Recorder): Promise<CodeHostApi> {
  const { access } = (await readSecret(context, integration.id)) ?? {};
  if (!access) throw new HostError('no_token', 'Give the integration a `token` or an `app` first.');
  const { account, baseUrl } = integration;
  const place = { account, baseUrl, ...reachOf(context.connections), record };
  if (integration.kind === 'codehost_a') return (await import('./github/api.ts')).github(place, access);
  if (!('token' in access)) throw new HostError('no_token', 'An integration of this kind needs a `token`.');
  return (await import('./gitlab/api.ts')).gitlab(place, access.token);
}
