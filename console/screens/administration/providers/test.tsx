import { answerOf, client, Refused } from '../../../api/client.ts';
import { question, refusedBy } from '../../../api/question.ts';
import type { IdentityProvider, IdentityProviderTest } from '../../../api/types.ts';
import { Facts } from '../../../parts/facts.tsx';
import { agoOf } from '../../../parts/format.ts';
import { notify } from '../../../parts/toasts.tsx';
import { testProvider } from '../../../session.ts';
import { providers } from '../../../texts/providers.ts';

const words = providers.test;

/** The service has no result before the first test. */
const useTest = question((id) =>
  answerOf(client.GET('/api/v1/sign-in/identity-providers/{id}/test', { params: { path: { id } } })).catch(
    (error: unknown) => {
      if (error instanceof Refused && error.code === 'not_found') return null;
      throw error;
    },
  ),
);

/** Signs in at the provider as a test, and shows what the provider says of the person. */
export function Test({ provider: { id } }: { provider: IdentityProvider }) {
  const { data, error } = useTest(id);
  const run = () => {
    const params = { path: { id } };
    testProvider((codeChallenge) =>
      answerOf(client.POST('/api/v1/sign-in/identity-providers/{id}/test', { params, body: { codeChallenge } })),
    ).catch((refused: unknown) => notify(refusedBy(refused).message, { isError: true }));
  };
  return (
    <>
      <p class="soft">{words.lead}</p>
      {error && <p class="overdue">{error.message}</p>}
      {data && <Result result={data} />}
      <p>
        <button type="button" class="button" onClick={run}>
          {data ? words.again : words.run}
        </button>
      </p>
    </>
  );
}

const Result = ({
  result: { at, subject, email, emailVerified, name, roleId, claims, problem },
}: {
  result: IdentityProviderTest;
}) => (
  <>
    <p class="strong">{words.at(agoOf(at))}</p>
    {problem && (
      <p class="failed" role="alert">
        {words.refused(problem.message)}
      </p>
    )}
    <Facts
      rows={[
        [words.subject, subject],
        [words.email, email && `${email}, ${words.verified(emailVerified)}`],
        [words.name, name],
        [words.role, roleId],
      ]}
    />
    <details>
      <summary>{words.claims}</summary>
      <pre class="whole">{JSON.stringify(claims, null, 2)}</pre>
    </details>
  </>
);
