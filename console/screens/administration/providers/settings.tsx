import { answerOf, client } from '../../../api/client.ts';
import type { IdentityProvider } from '../../../api/types.ts';
import type { Field, Values } from '../../../forms/field.ts';
import { Form } from '../../../forms/form.tsx';
import { notify } from '../../../parts/toasts.tsx';
import { providers as words } from '../../../texts/providers.ts';

type SettingsProps = { provider: IdentityProvider };

/** The values that the provider has shown. Other settings make a draft of it, which is tested again. */
export function Settings({ provider }: SettingsProps) {
  const { id, kind, status } = provider;
  if (status === 'active') return <p class="soft">{words.locked}</p>;
  const send = async (values: Values) => {
    const body = kind === 'oidc' ? oidcOf(values) : { samlMetadata: values.text('samlMetadata') };
    await answerOf(client.PATCH('/api/v1/sign-in/identity-providers/{id}', { params: { path: { id } }, body }));
    notify(words.saved);
  };
  return (
    <>
      {provider.saml && <p>{words.saml.known(provider.saml.entityId, provider.saml.certificates.length)}</p>}
      <Form fields={kind === 'oidc' ? oidcFields(provider) : samlFields} submit={words.save} send={send} />
    </>
  );
}

const oidcFields = ({ oidc }: IdentityProvider): Field[] => [
  {
    name: 'oidc.issuer',
    label: words.oidc.issuer,
    hint: words.oidc.issuerHint,
    kind: 'text',
    required: true,
    initial: oidc?.issuer ?? '',
  },
  { name: 'oidc.clientId', label: words.oidc.clientId, kind: 'text', required: true, initial: oidc?.clientId ?? '' },
  { name: 'clientSecret', label: words.oidc.clientSecret, hint: words.oidc.clientSecretHint, kind: 'secret' },
  {
    name: 'oidc.scopes',
    label: words.oidc.scopes,
    hint: words.oidc.scopesHint,
    kind: 'text',
    initial: (oidc?.scopes ?? ['openid', 'email', 'profile']).join(' '),
  },
];

const samlFields: Field[] = [
  {
    name: 'samlMetadata',
    label: words.saml.metadata,
    hint: words.saml.metadataHint,
    kind: 'long',
    required: true,
  },
];

const oidcOf = ({ text, maybe }: Values) => ({
  oidc: {
    issuer: text('oidc.issuer'),
    clientId: text('oidc.clientId'),
    scopes: text('oidc.scopes').split(/\s+/).filter(Boolean),
  },
  clientSecret: maybe('clientSecret'),
});
