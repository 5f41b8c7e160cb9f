import { domainOf } from '#shared/people/owner-domain.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';

let listed: Promise<ReadonlySet<string>> | undefined;

/** Read at the first request that needs the list, which is beside the bundle (infra/bundle/plugins.ts). */
const list = (): Promise<ReadonlySet<string>> => {
  listed ??= import('disposable-email-domains-js').then(({ disposableEmailBlocklistSet }) =>
    disposableEmailBlocklistSet(),
  );
  return listed;
};

/** Refuses an address that its owner throws away. Subdomains of a listed domain are listed too. @throws validation_failed */
export async function assertLasting(email: string): Promise<void> {
  const domains = await list();
  const labels = domainOf(email).split('.');
  if (labels.some((_, n) => domains.has(labels.slice(n).join('.'))))
    throw invalid('email', 'must not be of a provider of disposable addresses: send an address that you keep');
}
