import type { ProviderKind } from '#shared/people/identity-provider.ts';
import { oidc } from './oidc.ts';
import type { Protocol } from './protocol.ts';
import { saml } from './saml.ts';

/** The protocol of each kind of provider. */
export const protocols: Record<ProviderKind, Protocol> = { oidc, saml };
