import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { NotificationSubscriptionCreate } from '../../api/types.ts';
import { choicesOf, chosenIn, type Field, type Option, oneOf, optionsOf, type Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { choicesOfKind, useEndpoints, usePeople, useTeams } from '../../forms/named.ts';
import { notifications as words } from '../../texts/notifications.ts';

const path = '/api/v1/notifications/subscriptions';
const FLOORS = ['critical', 'high', 'medium', 'low'] as const;
const PERSONAL = ['email inbox', 'email', 'inbox'] as const;
const RECEIVERS = ['asset_owner', 'assignee', 'mentioned', 'followers', 'administrators'] as const;
const NAMED = ['person', 'team'] as const;
const KINDS = ['email', 'inbox', 'slack', 'teams', 'webhook'] as const;

const labelled = <T extends string>(values: readonly T[], labels: Record<T, string>) =>
  values.map((value) => ({ value, label: labels[value] }));

const first: Field[] = [
  { name: 'name', label: words.name, kind: 'text', required: true },
  {
    name: 'types',
    label: words.types,
    hint: words.typesHint,
    kind: 'text',
    required: true,
    initial: 'finding.created',
  },
  { name: 'matching.filter', label: words.filter, hint: words.filterHint, kind: 'text' },
  {
    name: 'severityFloor',
    label: words.floor,
    kind: 'choice',
    options: [{ value: '', label: words.anySeverity }, ...optionsOf(FLOORS)],
    width: 'half',
  },
];
const last: Field[] = [
  { name: 'when', label: words.when, kind: 'choice', options: choicesOf(words.timings), width: 'half' },
  { name: 'timing.at', label: words.at, hint: words.atHint, kind: 'text', initial: '08:00', width: 'half' },
  { name: 'quietHours.from', label: words.quietFrom, kind: 'text', width: 'half' },
  { name: 'quietHours.to', label: words.quietTo, kind: 'text', width: 'half' },
];
const ofOwn: Field[] = [
  {
    name: 'channels',
    label: words.channel,
    kind: 'choice',
    options: labelled(PERSONAL, words.channels),
    width: 'half',
  },
];
const ofOrganization = (named: readonly Option[], endpoints: readonly Option[]): Field[] => [
  {
    name: 'channels',
    label: words.channel,
    kind: 'choice',
    options: choicesOf(words.channels),
    width: 'half',
  },
  {
    name: 'to',
    label: words.to,
    kind: 'choice',
    options: [...labelled(RECEIVERS, words.receivers), ...named],
    width: 'half',
  },
  { name: 'address', label: words.address, hint: words.addressHint, kind: 'text' },
  {
    name: 'endpointId',
    label: words.endpoint,
    kind: 'choice',
    options: [{ value: '', label: words.noEndpoint }, ...endpoints],
  },
];

export type Owner = 'me' | 'organization';

function bodyOf(owner: Owner, { text, maybe }: Values): NotificationSubscriptionCreate {
  const channels = text('channels')
    .split(' ')
    .map((channel) => oneOf(KINDS, channel));
  const isPersonal = channels.some((channel) => channel === 'email' || channel === 'inbox');
  const filter = maybe('matching.filter');
  const floor = maybe('severityFloor');
  const [from, to] = [maybe('quietHours.from'), maybe('quietHours.to')];
  const address = maybe('address');
  return {
    name: text('name') || words.own.title,
    types: text('types')
      .split(/[\s,]+/)
      .filter(Boolean),
    matching: filter === undefined ? null : { entity: 'finding', filter },
    severityFloor: floor === undefined ? null : oneOf(FLOORS, floor),
    channels,
    to: isPersonal ? receiverOf(owner, text) : null,
    timing: { when: chosenIn(words.timings, text('when')), at: text('timing.at'), weekday: 'monday' },
    quietHours: from !== undefined && to !== undefined ? { from, to } : null,
    endpointId: channels.includes('webhook') ? (maybe('endpointId') ?? null) : null,
    ...(address !== undefined && !isPersonal && { address }),
  };
}

function receiverOf(owner: Owner, text: Values['text']): NotificationSubscriptionCreate['to'] {
  if (owner === 'me') return { kind: 'me', id: null };
  const [kind = '', id = null] = text('to').split(' ');
  return { kind: oneOf([...RECEIVERS, ...NAMED], kind), id };
}

async function create(owner: Owner, values: Values): Promise<undefined> {
  await answerOf(client.POST(path, { body: bodyOf(owner, values) }));
}

/** A button that opens the form of a new subscription, with what it would have sent. */
export const AddSubscription = ({ owner }: { owner: Owner }) =>
  owner === 'me' ? <Add owner="me" fields={ofOwn} /> : <AddForOthers />;

function AddForOthers() {
  const named = [
    ...choicesOfKind('person', words.aPerson, usePeople()),
    ...choicesOfKind('team', words.aTeam, useTeams()),
  ];
  return <Add owner="organization" fields={ofOrganization(named, useEndpoints())} />;
}

const Add = ({ owner, fields }: { owner: Owner; fields: readonly Field[] }) => (
  <FormDialog
    label={words[owner === 'me' ? 'own' : 'organization'].add}
    look="plain"
    fields={[...first, ...fields, ...last]}
    send={(values) => create(owner, values)}
    preview={(values) => <Preview body={bodyOf(owner, values)} />}
  />
);

const usePreview = question((body) => answerOf(client.POST(`${path}/preview`, { body: JSON.parse(body) })));

const SHOWN = 5;

/** Shows what the values would have sent in the last week. */
function Preview({ body }: { body: NotificationSubscriptionCreate }) {
  const { data, error } = usePreview(JSON.stringify(body));
  return (
    <div class="preview" aria-live="polite">
      {error && <p class="overdue">{error.message}</p>}
      {!error && !data && <p class="soft">{words.looking}</p>}
      {!error && data && (
        <>
          <p>
            {words.would(data.count)} {data.people.length > 0 && words.people(data.people.length)}
          </p>
          <ul>
            {data.lines.slice(0, SHOWN).map(({ eventId, text }) => (
              <li key={eventId} class="small">
                {text}
              </li>
            ))}
            {data.count > SHOWN && (
              <li class="small soft">{words.more(data.count - Math.min(SHOWN, data.lines.length))}</li>
            )}
          </ul>
        </>
      )}
    </div>
  );
}
