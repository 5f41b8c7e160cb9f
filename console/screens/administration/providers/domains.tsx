import { answerOf, client } from '../../../api/client.ts';
import type { IdentityProvider } from '../../../api/types.ts';
import type { Field, Values } from '../../../forms/field.ts';
import { Form } from '../../../forms/form.tsx';
import { CopyLine } from '../../../parts/copy-line.tsx';
import { Act } from '../../../parts/listing.tsx';
import { notify } from '../../../parts/toasts.tsx';
import { providers } from '../../../texts/providers.ts';

const words = providers.domain;
const fields: Field[] = [{ name: 'name', label: words.name, hint: words.nameHint, kind: 'text', required: true }];

/** The e-mail domains whose people the provider names, each with the DNS record that proves it. */
export function Domains({ provider: { id, domains } }: { provider: IdentityProvider }) {
  const add = async ({ text }: Values) => {
    const params = { path: { id } };
    const body = { name: text('name') };
    await answerOf(client.POST('/api/v1/sign-in/identity-providers/{id}/domains', { params, body }));
    notify(words.added);
  };
  return (
    <>
      <ul class="domains">
        {domains.map((domain) => (
          <Domain key={domain.name} id={id} domain={domain} />
        ))}
      </ul>
      <Form key={domains.length} fields={fields} submit={words.add} send={add} />
    </>
  );
}

type DomainProps = { id: string; domain: IdentityProvider['domains'][number] };

const Domain = ({ id, domain: { name, status, dnsRecord } }: DomainProps) => {
  const params = { path: { id, name } };
  return (
    <li class="domain">
      <p>
        <span class="strong">{name}</span> <span class="tag">{words[status]}</span>
      </p>
      {status !== 'verified' && (
        <>
          <CopyLine label={words.record(name)} text={dnsRecord.name} />
          <CopyLine label={words.value(name)} text={dnsRecord.value} />
          <p class="soft small">{words.lead}</p>
        </>
      )}
      <p class="acts">
        {status !== 'verified' && (
          <Act
            label={words.verify}
            done={words.found}
            run={() =>
              answerOf(client.POST('/api/v1/sign-in/identity-providers/{id}/domains/{name}/verify', { params }))
            }
          />
        )}
        <Act
          label={words.remove}
          sure={words.sure}
          done={words.removed}
          run={() => answerOf(client.DELETE('/api/v1/sign-in/identity-providers/{id}/domains/{name}', { params }))}
        />
      </p>
    </li>
  );
};
