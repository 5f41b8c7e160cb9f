import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { NotificationSubscription, NotificationSubscriptionCreate } from '../../api/types.ts';
import { matchingFields, matchingIn, typesIn } from '../../forms/event-filter.ts';
import {
  changesOf,
  choicesOf,
  chosenIn,
  type Field,
  type Option,
  oneOf,
  optionsOf,
  type Values,
} from '../../forms/field.ts';
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

type Known = NotificationSubscription;

const first = (known?: Known): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: known?.name ?? '' },
  {
    name: 'types',
    label: words.types,
    hint: words.typesHint,
    kind: 'text',
    required: true,
    initial: known?.types.join(' ') ?? 'finding.created',
  },
  ...matchingFields(known?.matching),
  {
    name: 'severityFloor',
    label: words.floor,
    kind: 'choice',
    options: [{ value: '', label: words.anySeverity }, ...optionsOf(FLOORS)],
    initial: known?.severityFloor ?? '',
    width: 'half',
  },
];
const last = (known?: Known): Field[] => [
  {
    name: 'when',
    label: words.when,
    kind: 'choice',
    options: choicesOf(words.timings),
    initial: known?.timing?.when ?? 'at_once',
    width: 'third',
  },
  {
    name: 'weekday',
    label: words.weekday,
    kind: 'choice',
    options: choicesOf(words.weekdays),
    initial: known?.timing?.weekday ?? 'monday',
    width: 'third',
  },
  {
    name: 'timing.at',
    label: words.at,
    hint: words.atHint,
    kind: 'text',
    initial: known?.timing?.at ?? '08:00',
    width: 'third',
  },
  {
    name: 'quietHours.from',
    label: words.quietFrom,
    kind: 'text',
    initial: known?.quietHours?.from ?? '',
    width: 'half',
  },
  { name: 'quietHours.to', label: words.quietTo, kind: 'text', initial: known?.quietHours?.to ?? '', width: 'half' },
];
const channelsOf = (known?: Known): string => known?.channels.toSorted().join(' ') ?? 'email inbox';
const ofOwn = (known?: Known): Field[] => [
  {
    name: 'channels',
    label: words.channel,
    kind: 'choice',
    options: labelled(PERSONAL, words.channels),
    initial: channelsOf(known),
    width: 'half',
  },
];
const receiverIn = (to: Known['to'] | undefined): string =>
  to ? [to.kind, to.id].filter(Boolean).join(' ') : 'asset_owner';
const ofOrganization = (named: readonly Option[], endpoints: readonly Option[], known?: Known): Field[] => [
  {
    name: 'channels',
    label: words.channel,
    kind: 'choice',
    options: choicesOf(words.channels),
    initial: channelsOf(known),
    width: 'half',
  },
  {
    name: 'to',
    label: words.to,
    kind: 'choice',
    options: [...labelled(RECEIVERS, words.receivers), ...named],
    initial: receiverIn(known?.to),
    width: 'half',
  },
  { name: 'address', label: words.address, hint: known ? words.addressStays : words.addressHint, kind: 'text' },
  {
    name: 'endpointId',
    label: words.endpoint,
    kind: 'choice',
    options: [{ value: '', label: words.noEndpoint }, ...endpoints],
    initial: known?.endpointId ?? '',
  },
];

export type Owner = 'me' | 'organization';

function bodyOf(owner: Owner, values: Values, known?: Known): NotificationSubscriptionCreate {
  const { text, maybe } = values;
  const channels = text('channels')
    .split(' ')
    .map((channel) => oneOf(KINDS, channel));
  const isPersonal = channels.some((channel) => channel === 'email' || channel === 'inbox');
  const floor = maybe('severityFloor');
  const [from, to] = [maybe('quietHours.from'), maybe('quietHours.to')];
  const address = maybe('address');
  return {
    name: text('name') || words.own.title,
    types: typesIn(text('types')),
    matching: matchingIn(values, known?.matching),
    severityFloor: floor === undefined ? null : oneOf(FLOORS, floor),
    channels,
    to: isPersonal ? receiverOf(owner, text) : null,
    timing: {
      when: chosenIn(words.timings, text('when')),
      at: text('timing.at'),
      weekday: chosenIn(words.weekdays, text('weekday')),
    },
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

async function change(owner: Owner, values: Values, known: Known): Promise<undefined> {
  const at = { params: { path: { id: known.id } }, headers: { 'if-match': `"${known.version}"` } };
  await answerOf(client.PATCH(`${path}/{id}`, { ...at, body: changesOf(bodyOf(owner, values, known), known) }));
}

type FormProps = { owner: Owner; known?: NotificationSubscription };

/** A button that opens the form of a new subscription, or of a known one, with what it would have sent. */
export const SubscriptionForm = ({ owner, known }: FormProps) =>
  owner === 'me' ? <Opened owner="me" known={known} fields={ofOwn(known)} /> : <OfOrganization known={known} />;

function OfOrganization({ known }: Pick<FormProps, 'known'>) {
  const named = [
    ...choicesOfKind('person', words.aPerson, usePeople()),
    ...choicesOfKind('team', words.aTeam, useTeams()),
  ];
  return <Opened owner="organization" known={known} fields={ofOrganization(named, useEndpoints(), known)} />;
}

const Opened = ({ owner, known, fields }: FormProps & { fields: readonly Field[] }) => (
  <FormDialog
    label={known ? words.change : words[owner === 'me' ? 'own' : 'organization'].add}
    title={known?.name}
    look={known ? 'link' : 'plain'}
    fields={[...first(known), ...fields, ...last(known)]}
    send={(values) => (known ? change(owner, values, known) : create(owner, values))}
    preview={(values) => <Preview body={previewed(bodyOf(owner, values, known), known)} />}
  />
);

/** A preview needs an address of a channel, though it sends nothing: nobody reads the stored one. */
function previewed(body: NotificationSubscriptionCreate, known?: Known): NotificationSubscriptionCreate {
  const isStored = known?.addressHost && body.to === null && !body.endpointId && body.address === undefined;
  return isStored ? { ...body, address: `https://${known.addressHost}/` } : body;
}

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
