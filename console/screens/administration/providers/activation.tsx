import { answerOf, client } from '../../../api/client.ts';
import type { IdentityProvider } from '../../../api/types.ts';
import { choicesOf, chosenIn } from '../../../forms/field.ts';
import { Act, ChoiceAct } from '../../../parts/listing.tsx';
import { providers } from '../../../texts/providers.ts';

const words = providers.activate;

/** Whether people sign in with the provider, and who must. */
export const Activation = ({ provider: { id, status, enforcement } }: { provider: IdentityProvider }) => {
  const params = { path: { id } };
  const enforce = (value: string) => {
    const body = { enforcement: chosenIn(providers.enforcements, value) };
    return answerOf(client.PATCH('/api/v1/sign-in/identity-providers/{id}', { params, body }));
  };
  return (
    <>
      <p class="soft">{status === 'active' ? words.active : words.lead}</p>
      <p class="acts">
        {status === 'active' ? (
          <Act
            label={words.disable}
            sure={words.sureDisable}
            done={words.disabled}
            run={() => answerOf(client.POST('/api/v1/sign-in/identity-providers/{id}/disable', { params }))}
          />
        ) : (
          <Act
            label={words.run}
            done={words.done}
            run={() => answerOf(client.POST('/api/v1/sign-in/identity-providers/{id}/activate', { params }))}
          />
        )}
      </p>
      <div class="form-row">
        <span>{providers.enforcement}</span>
        <ChoiceAct
          label={providers.enforcement}
          value={enforcement}
          options={choicesOf(providers.enforcements)}
          done={words.enforced}
          run={enforce}
        />
      </div>
    </>
  );
};
