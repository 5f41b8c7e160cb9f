import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Engagement } from '../../api/types.ts';
import { wordsIn } from '../../filter/filter-text.ts';
import { CHECKED, choicesOf, chosenIn, chosenOf, type Field, oneOf, type Values } from '../../forms/field.ts';
import { scheduleFields, scheduleIn } from '../../forms/schedule.ts';
import { linesOf, targetsIn } from '../../forms/targets.ts';
import { LIST_SIZE } from '../../parts/listing.tsx';
import { TargetList } from '../../parts/target-list.tsx';
import { engagementForm as words } from '../../texts/engagement-form.ts';
import { form } from '../../texts/form.ts';
import { texts } from '../../texts.ts';
import { zone } from '../../zone.ts';

const TYPES = [
  'network',
  'web',
  'tls',
  'sast',
  'dependencies',
  'secrets',
  'container',
  'cloud',
  'configuration',
] as const;
const GROUP = 'group ';
const POOL = 'pool ';
const PREVIEWED = 6;

type Choices = readonly { value: string; label: string }[];
type Offer = { where: Choices; addresses: ReadonlyMap<string, string>; credentials: Choices };

/** The scanners and the credentials that the person may choose from. Those that the person may not read are left out. */
export const useOffer = question(async (): Promise<Offer> => {
  const query = { params: { query: { paginateSize: LIST_SIZE } } };
  const base = '/api/v1/validation-operations';
  const none = () => ({ data: [] });
  const [groups, pools, credentials] = await Promise.all([
    answerOf(client.GET(`${base}/scanner-groups`, query)).catch(none),
    answerOf(client.GET(`${base}/public-scanner-groups/options`, query)).catch(none),
    answerOf(client.GET('/api/v1/credentials', query)).catch(none),
  ]);
  return {
    where: [
      { value: '', label: words.ownScanners },
      ...groups.data.map(({ id, name }) => ({ value: GROUP + id, label: words.groupOf(name) })),
      ...pools.data.map(({ id, name }) => ({ value: POOL + id, label: words.poolOf(name) })),
    ],
    addresses: new Map(pools.data.map(({ id, sourceIps }) => [POOL + id, sourceIps.join(', ')])),
    credentials: credentials.data.map(({ id, name }) => ({ value: id, label: name })),
  };
});

function whereOf({ scannerGroupId, publicScannerGroupId }: Engagement): string {
  if (scannerGroupId) return GROUP + scannerGroupId;
  return publicScannerGroupId ? POOL + publicScannerGroupId : '';
}

export const fieldsOf = (offer: Offer, known?: Engagement): Field[] => [
  ...aboutOf(known),
  {
    name: 'taskTypes',
    label: words.taskTypes,
    hint: words.taskTypesHint,
    kind: 'choices',
    options: TYPES.map((value) => ({ value, label: texts.scanner.types[value] })),
    initial: chosenOf(known?.taskTypes ?? []),
  },
  {
    name: 'scannerGroupId',
    label: words.where,
    hint: words.whereHint,
    kind: 'choice',
    width: 'half',
    options: offer.where,
    initial: known ? whereOf(known) : '',
  },
  {
    name: 'intensity',
    label: words.intensity,
    kind: 'choice',
    width: 'half',
    options: choicesOf(words.intensities),
    initial: known?.intensity ?? 'normal',
  },
  ...(offer.credentials.length === 0
    ? []
    : [
        {
          name: 'credentialIds',
          label: words.credentials,
          kind: 'choices',
          options: offer.credentials,
          initial: chosenOf(known?.credentialIds ?? []),
        } satisfies Field,
      ]),
  ...scheduleFields(known?.schedule),
  ...windowOf(known),
  ...rulesOf(known),
];

const aboutOf = (known?: Engagement): Field[] => [
  { name: 'title', label: words.title, kind: 'text', required: true, initial: known?.title ?? '' },
  {
    name: 'kind',
    label: words.kind,
    kind: 'choice',
    options: choicesOf(texts.engagement.kinds),
    initial: known?.kind ?? 'vulnerability_scan',
  },
  { name: 'description', label: words.description, kind: 'long', initial: known?.description ?? '' },
  {
    name: 'targets',
    label: words.targets,
    hint: words.targetsHint,
    kind: 'long',
    required: true,
    initial: linesOf(known?.targets ?? []),
  },
  { name: 'exclusions', label: words.exclusions, kind: 'long', initial: linesOf(known?.exclusions ?? []) },
];

/** Several windows are made with the API, and stay as they are. */
const hasWindow = (known?: Engagement): boolean => (known?.windows.length ?? 0) <= 1;

/** A window goes on in the zone in which somebody planned it. */
const windowZone = (known?: Engagement): string => known?.windows[0]?.timeZone ?? zone.value;

function windowOf(known?: Engagement): Field[] {
  if (!hasWindow(known)) return [];
  const { days = [], from = '', to = '' } = known?.windows[0] ?? {};
  const hint = form.inZone(windowZone(known));
  return [
    {
      name: 'windows.0.days',
      label: words.days,
      kind: 'choices',
      options: choicesOf(words.dayNames),
      initial: chosenOf(days),
    },
    { name: 'windows.0.from', label: words.from, kind: 'text', width: 'half', initial: from, hint },
    { name: 'windows.0.to', label: words.to, kind: 'text', width: 'half', initial: to, hint },
  ];
}

function rulesOf(known?: Engagement): Field[] {
  const {
    allowExploitation = false,
    authorizationReference,
    emergencyContacts,
    notes,
  } = known?.rulesOfEngagement ?? {};
  const at = 'rulesOfEngagement';
  return [
    {
      name: `${at}.allowExploitation`,
      label: words.exploitation,
      hint: words.exploitationHint,
      kind: 'check',
      initial: allowExploitation ? CHECKED : '',
    },
    {
      name: `${at}.authorizationReference`,
      label: words.reference,
      kind: 'text',
      width: 'half',
      initial: authorizationReference ?? '',
    },
    { name: 'dueAt', label: words.dueAt, kind: 'due', width: 'half', initial: known?.dueAt?.slice(0, 10) ?? '' },
    {
      name: `${at}.emergencyContacts`,
      label: words.contacts,
      hint: words.contactsHint,
      kind: 'text',
      initial: emergencyContacts?.join(', ') ?? '',
    },
    { name: `${at}.notes`, label: words.notes, kind: 'long', initial: notes ?? '' },
  ];
}

const idAfter = (prefix: string, where: string): string | null =>
  where.startsWith(prefix) ? where.slice(prefix.length) : null;

/** The engagement as it is typed. */
export function bodyOf(values: Values, offer: Offer, known?: Engagement) {
  const { text, maybe, chosen, isChecked } = values;
  const at = 'rulesOfEngagement';
  const days = chosen('windows.0.days').map((day) => chosenIn(words.dayNames, day));
  const window = { days, from: text('windows.0.from'), to: text('windows.0.to'), timeZone: windowZone(known) };
  return {
    title: text('title'),
    kind: chosenIn(texts.engagement.kinds, text('kind')),
    description: maybe('description') ?? null,
    targets: targetsIn(text('targets')),
    exclusions: targetsIn(text('exclusions')),
    taskTypes: chosen('taskTypes').map((type) => oneOf(TYPES, type)),
    scannerGroupId: idAfter(GROUP, text('scannerGroupId')),
    publicScannerGroupId: idAfter(POOL, text('scannerGroupId')),
    ...(offer.credentials.length > 0 && { credentialIds: chosen('credentialIds') }),
    intensity: chosenIn(words.intensities, text('intensity')),
    schedule: scheduleIn(values, known?.schedule),
    ...(hasWindow(known) && { windows: days.length > 0 ? [window] : [] }),
    rulesOfEngagement: {
      allowExploitation: isChecked(`${at}.allowExploitation`),
      authorizationReference: maybe(`${at}.authorizationReference`) ?? null,
      emergencyContacts: wordsIn(text(`${at}.emergencyContacts`)),
      notes: maybe(`${at}.notes`) ?? null,
    },
    dueAt: maybe('dueAt') ?? null,
  };
}

/** The targets as the form reads them, and the addresses from which they are scanned. */
export const previewWith =
  ({ addresses }: Offer) =>
  ({ text }: Values) => {
    const { preview } = words;
    const targets = targetsIn(text('targets'));
    const except = targetsIn(text('exclusions')).length;
    const from = addresses.get(text('scannerGroupId'));
    if (targets.length === 0) return <p class="preview soft">{preview.start}</p>;
    return (
      <div class="preview" aria-live="polite">
        {preview.scanned(targets.length)}
        <TargetList targets={targets} most={PREVIEWED} />
        <p>{[except > 0 && preview.except(except), from && preview.from(from)].filter(Boolean).join(' ')}</p>
      </div>
    );
  };
