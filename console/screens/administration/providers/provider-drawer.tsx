import { answerOf, client } from '../../../api/client.ts';
import { question } from '../../../api/question.ts';
import type { IdentityProvider } from '../../../api/types.ts';
import { CopyLine } from '../../../parts/copy-line.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Act } from '../../../parts/listing.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { type Step, Steps } from '../../../parts/steps.tsx';
import { providers as words } from '../../../texts/providers.ts';
import { Activation } from './activation.tsx';
import { Attempts } from './attempts.tsx';
import { Domains } from './domains.tsx';
import { Mapping } from './mapping.tsx';
import { Settings } from './settings.tsx';
import { Test } from './test.tsx';

const useProvider = question((id) =>
  answerOf(client.GET('/api/v1/sign-in/identity-providers/{id}', { params: { path: { id } } })),
);

type DrawerProps = { id: string; close: () => void };

/** A provider: its set-up in steps, the roles of its claims, and why sign-ins failed. */
export function ProviderDrawer({ id, close }: DrawerProps) {
  const { data, error, ask } = useProvider(id);
  return (
    <Dialog kind="drawer" title={data ? words.open(data.name) : words.title} close={close}>
      {error && !data && <Failed error={error} again={ask} />}
      {!error && !data && <Loading lines={8} />}
      {data && (
        <div class="drawer-content">
          <p class="drawer-marks">
            <span class="tag">{words.kinds[data.kind]}</span>
            <span class="tag">{words.statuses[data.status]}</span>
          </p>
          <Steps steps={stepsOf(data)} />
          <Mapping provider={data} />
          <Attempts id={id} />
          {data.status !== 'active' && <Remove id={id} close={close} />}
        </div>
      )}
    </Dialog>
  );
}

const stepsOf = (provider: IdentityProvider): Step[] => {
  const isSet = provider.oidc !== null || provider.saml !== null;
  const isTested = provider.status !== 'draft';
  return [
    { title: words.steps.values, isDone: isSet, content: <Values provider={provider} /> },
    { title: words.steps.settings, isDone: isSet, content: <Settings provider={provider} /> },
    {
      title: words.steps.domains,
      isDone: provider.domains.some(({ status }) => status === 'verified'),
      content: <Domains provider={provider} />,
    },
    { title: words.steps.test, isDone: isTested, content: isSet && <Test provider={provider} /> },
    {
      title: words.steps.activate,
      isDone: provider.status === 'active',
      content: isTested && <Activation provider={provider} />,
    },
  ];
};

const Values = ({ provider: { kind, setup } }: { provider: IdentityProvider }) => (
  <>
    <p class="soft">{words.values.lead}</p>
    {kind === 'oidc' ? (
      <CopyLine label={words.values.redirectUri} text={setup.redirectUri} />
    ) : (
      <>
        <CopyLine label={words.values.entityId} text={setup.entityId} />
        <CopyLine label={words.values.acsUrl} text={setup.acsUrl} />
      </>
    )}
    <CopyLine label={words.values.scimBaseUrl} text={setup.scimBaseUrl} />
  </>
);

/** The records and sessions of people stay; the service refuses an active provider. */
const Remove = ({ id, close }: DrawerProps) => (
  <p class="section acts">
    <Act
      label={words.remove}
      sure={words.sureRemove}
      done={words.removed}
      run={async () => {
        await answerOf(client.DELETE('/api/v1/sign-in/identity-providers/{id}', { params: { path: { id } } }));
        close();
      }}
    />
  </p>
);
