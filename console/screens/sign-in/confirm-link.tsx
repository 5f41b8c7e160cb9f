import { answerOf, anybody } from '../../api/client.ts';
import type { Field, Values } from '../../forms/field.ts';
import { Form } from '../../forms/form.tsx';
import { confirmLink } from '../../session.ts';
import { invitation, trial } from '../../texts/sign-up.ts';
import { deviceZone } from '../../zone.ts';

const nameField: Field = { name: 'name', label: invitation.name, hint: invitation.nameHint, kind: 'text' };
const sampleField: Field = { name: 'sample', label: trial.withSample, kind: 'check' };

/** The page of an invitation: nothing happens before the person accepts. */
export const Invitation = ({ token }: { token: string }) => {
  const accept = ({ maybe }: Values) =>
    confirmLink((codeChallenge) => {
      const body = { token, codeChallenge, name: maybe('name'), timeZone: deviceZone };
      return answerOf(anybody.POST('/api/v1/sign-in/invitation', { body }));
    });
  return (
    <>
      <h1>{invitation.title}</h1>
      <p class="soft">{invitation.lead}</p>
      <Form fields={[nameField]} submit={invitation.submit} send={accept} />
    </>
  );
};

/** The page of the link in the letter of a sign-up. */
export const Trial = ({ token }: { token: string }) => {
  const begin = ({ isChecked }: Values) =>
    confirmLink((codeChallenge) => {
      const body = { token, codeChallenge, timeZone: deviceZone, sampleData: isChecked('sample'), locale: 'en' };
      return answerOf(anybody.POST('/api/v1/signup/verify', { body }));
    });
  return (
    <>
      <h1>{trial.title}</h1>
      <p class="soft">{trial.lead}</p>
      <Form fields={[sampleField]} submit={trial.submit} send={begin} />
    </>
  );
};
