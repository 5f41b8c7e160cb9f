import { useSignal } from '@preact/signals';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { ResponseAction } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { StatusMark } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { nameOf } from '../../texts/names.ts';
import { texts } from '../../texts.ts';

const words = texts.incident.response;
const TYPES = ['isolate_host', 'disable_user', 'block_indicator', 'rotate_secret', 'custom'] as const;
const TARGETS = ['host', 'user', 'ip', 'domain', 'hash', 'url', 'process', 'cloud_resource', 'secret'] as const;
const MAX_SHOWN = 50;

const useActions = question((incidentId) =>
  answerOf(client.GET('/api/v1/soc/response-actions', { params: { query: { incidentId, paginateSize: MAX_SHOWN } } })),
);

/** The actions against an incident: who asked, who decides, what came of it. */
export function ResponseActions({ id }: { id: string }) {
  const { data, error, ask } = useActions(id);
  return (
    <Section title={words.title}>
      {error && !data && <Failed error={error} again={ask} />}
      {!error && !data && <Loading lines={2} />}
      {data?.totalCount === 0 && <p class="soft">{words.none}</p>}
      <ul class="related">
        {data?.data.map((action) => (
          <Action key={action.id} action={action} changed={ask} />
        ))}
      </ul>
      {(data || !error) && <NewAction id={id} changed={ask} />}
    </Section>
  );
}

type ActionProps = { action: ResponseAction; changed: () => void };

const Action = ({ action: { id, type, target, status, reason, result, error }, changed }: ActionProps) => {
  const params = { path: { id } };
  const decide = (isApproved: boolean) =>
    void (isApproved
      ? act(client.POST('/api/v1/soc/response-actions/{id}/approve', { params, body: {} }), {
          done: words.approved,
          changed,
        })
      : act(client.POST('/api/v1/soc/response-actions/{id}/deny', { params, body: {} }), {
          done: words.denied,
          changed,
        }));
  return (
    <li>
      <span class="strong">
        {words.types[type]} <span class="plain">{target.value}</span>
      </span>
      <StatusMark status={status} />
      {status === 'awaiting_approval' && (
        <span class="actions">
          <button type="button" class="button main" onClick={() => decide(true)}>
            {texts.approve}
          </button>
          <button type="button" class="button" onClick={() => decide(false)}>
            {texts.deny}
          </button>
        </span>
      )}
      <span class="soft small">{error?.message ?? result?.summary ?? reason}</span>
    </li>
  );
};

function NewAction({ id, changed }: { id: string; changed: () => void }) {
  const type = useSignal<(typeof TYPES)[number]>('isolate_host');
  const target = useSignal<(typeof TARGETS)[number]>('host');
  const value = useSignal('');
  const send = async (event: Event) => {
    event.preventDefault();
    const body = { type: type.value, target: { type: target.value, value: value.value } };
    const params = { path: { id } };
    const refused = await act(client.POST('/api/v1/soc/incidents/{id}/response-actions', { params, body }), {
      done: words.asked,
      changed,
    });
    if (!refused) value.value = '';
  };
  return (
    <form class="inline-form" onSubmit={(event) => void send(event)}>
      <select
        aria-label={words.type}
        value={type.value}
        onChange={({ currentTarget }) => {
          type.value = TYPES.find((one) => one === currentTarget.value) ?? 'custom';
        }}
      >
        {TYPES.map((one) => (
          <option key={one} value={one}>
            {words.types[one]}
          </option>
        ))}
      </select>
      <select
        aria-label={words.target}
        value={target.value}
        onChange={({ currentTarget }) => {
          target.value = TARGETS.find((one) => one === currentTarget.value) ?? 'host';
        }}
      >
        {TARGETS.map((one) => (
          <option key={one} value={one}>
            {nameOf(one)}
          </option>
        ))}
      </select>
      <input
        required
        aria-label={words.value}
        placeholder={words.value}
        value={value.value}
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value;
        }}
      />
      <button type="submit" class="button">
        {words.ask}
      </button>
    </form>
  );
}
