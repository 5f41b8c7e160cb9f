import { Link, useLocation } from 'wouter-preact';
import type { Field, Values } from '../../forms/field.ts';
import { Form } from '../../forms/form.tsx';
import { signInAsStaff } from '../../staff.ts';
import { staff as words } from '../../texts/clients.ts';

const fields: Field[] = [
  { name: 'clientId', label: words.clientId, kind: 'text', required: true },
  { name: 'clientSecret', label: words.clientSecret, kind: 'secret', required: true },
];

/** Staff of the provider are accounts, not people of an organization: they have no address to send a link to. */
export function StaffForm() {
  const [, go] = useLocation();
  const send = async ({ text }: Values) => {
    await signInAsStaff(text('clientId'), text('clientSecret'));
    go('/organizations');
  };
  return (
    <>
      <h1>{words.title}</h1>
      <p class="soft">{words.lead}</p>
      <Form fields={fields} submit={words.submit} send={send} />
      <p>
        <Link href="/">{words.back}</Link>
      </p>
    </>
  );
}
