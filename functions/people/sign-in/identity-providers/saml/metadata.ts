import type { SamlSettings } from '#shared/people/saml-settings.ts';
import {
  childrenOf,
  isNamed,
  METADATA,
  type Node,
  onlyChild,
  parsed,
  SIGNATURE,
  textOf,
  Unreadable,
  within,
} from './xml.ts';

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const LINE = 64;

/** The facts of a provider's metadata that sign-ins need. @throws Unreadable */
export async function settingsIn(text: string): Promise<SamlSettings> {
  const root = await parsed(text.trim());
  if (!isNamed(root, [METADATA, 'EntityDescriptor']))
    throw new Unreadable('The XML must be the metadata of one provider (EntityDescriptor).');
  const role = onlyChild(root, [METADATA, 'IDPSSODescriptor']);
  const services = childrenOf(role, [METADATA, 'SingleSignOnService']);
  const signInUrl = services.find((service) => service.getAttribute('Binding') === REDIRECT)?.getAttribute('Location');
  if (!signInUrl) throw new Unreadable('The metadata has no SingleSignOnService with the binding HTTP-Redirect.');
  return { entityId: root.getAttribute('entityID') ?? '', signInUrl, certificates: certificatesOf(role) };
}

function certificatesOf(role: Node): string[] {
  const keys = childrenOf(role, [METADATA, 'KeyDescriptor']).filter((key) => key.getAttribute('use') !== 'encryption');
  const found = keys.flatMap((key) => within(key, [SIGNATURE, 'X509Certificate'])).map((node) => pemOf(textOf(node)));
  return [...new Set(found)];
}

function pemOf(encoded: string): string {
  const text = Buffer.from(encoded, 'base64').toString('base64');
  const lines = Array.from({ length: Math.ceil(text.length / LINE) }, (_, n) => text.slice(n * LINE, (n + 1) * LINE));
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
