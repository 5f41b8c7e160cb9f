import { createPrivateKey } from 'node:crypto';
import { openHost } from '#shared/code/code-hosts/open.ts';
import { tryAccess } from '#shared/code/integrations/connected.ts';
import { noteHost } from '#shared/code/integrations/health.ts';
import type { CodeHost, Integration } from '#shared/code/integrations/integration.ts';
import type { HostAccess } from '#shared/code/integrations/secret.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { GivenAccess } from './routes.ts';

type Changed = { [name in keyof GivenAccess]?: GivenAccess[name] | null };

/** The access that a body gives; null removes the access, undefined keeps the current access. @throws validation_failed */
export function accessIn(kind: CodeHost, { token, app }: Changed): HostAccess | null | undefined {
  if (token && app) throw invalid('app', 'cannot be combined with `token`: send one of the two');
  if (token) return { token };
  if (!app) return token === null || app === null ? null : undefined;
  if (kind !== 'codehost_a') throw invalid('app', 'is only for codehost_a: send a `token`');
  try {
    createPrivateKey(app.privateKey);
  } catch {
    throw invalid('app.privateKey', 'must be the private key of the app as the code host gave it (PEM)');
  }
  return { app };
}

export const accessKind = (access: HostAccess | null): Integration['access'] => {
  if (!access) return 'none';
  return 'token' in access ? 'token' : 'app';
};

const UNTOLD = { identity: null, rights: [], rateLimit: null };

/** Asks the code host, and keeps on the integration whether it answered. */
export async function testAccess(context: Context, integration: Integration) {
  const tried = await tryAccess({
    ask: async () => (await openHost(context, integration)).whoAmI(),
    note: (problem) => noteHost(context.table, integration, problem),
  });
  return 'answer' in tried
    ? { works: true, ...tried.answer, error: null }
    : { works: false, ...UNTOLD, error: tried.error };
}
