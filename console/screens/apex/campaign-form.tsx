import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Campaign } from '../../api/types.ts';
import { CHECKED, changesOf, chosenOf, type Field, initialOf, type Values } from '../../forms/field.ts';
import { scheduleFields, scheduleIn } from '../../forms/schedule.ts';
import { LIST_SIZE } from '../../parts/listing.tsx';
import { Loading } from '../../parts/states.tsx';
import { TargetList } from '../../parts/target-list.tsx';
import { engagementForm, campaignForm as words } from '../../texts/engagement-form.ts';

const TYPES = [
  'reconnaissance',
  'discovery',
  'vulnerability_validation',
  'web_testing',
  'configuration_review',
  'retest',
  'exploitation',
  'credential_access',
  'privilege_escalation',
  'lateral_movement',
  'exfiltration',
  'social_engineering',
  'reporting',
] as const;
const PREVIEWED = 6;

type Choices = readonly { value: string; label: string }[];

/** The engagements of which a campaign may be a part. */
export const useEngagements = question(async (): Promise<Choices> => {
  const query = { filter: 'status:approved,scheduled,running,requested', paginateSize: LIST_SIZE };
  const { data } = await answerOf(client.GET('/api/v1/validation-operations/engagements', { params: { query } }));
  return data.map(({ id, title }) => ({ value: id, label: title }));
});

const limit = (value: number | null | undefined): string => (value ? String(value) : '');

/** A campaign whose tasks the API has planned keeps them: the form knows tasks in a row. */
const isInRow = (known?: Campaign): boolean =>
  known?.taskTemplates.every(({ key, type, targets }) => key === type && targets.length === 0) ?? true;

export const fieldsOf = (engagements: Choices, known?: Campaign): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: known?.name ?? '' },
  { name: 'objective', label: words.objective, kind: 'long', required: true, initial: known?.objective ?? '' },
  ...(known
    ? []
    : [
        {
          name: 'engagementId',
          label: words.engagement,
          hint: words.engagementHint,
          kind: 'choice',
          options: engagements,
          required: true,
        } satisfies Field,
      ]),
  ...(isInRow(known)
    ? [
        {
          name: 'taskTemplates',
          label: words.types,
          hint: words.typesHint,
          kind: 'choices',
          options: TYPES.map((value) => ({ value, label: words.typeNames[value] })),
          initial: chosenOf(known?.taskTemplates.map(({ type }) => type) ?? []),
        } satisfies Field,
      ]
    : []),
  ...scheduleFields(known?.schedule),
  { name: 'zone', label: words.zone, kind: 'text', initial: known?.zone ?? '' },
  {
    name: 'limits.maxTasks',
    label: words.maxTasks,
    kind: 'number',
    width: 'half',
    initial: limit(known?.limits.maxTasks),
  },
  {
    name: 'limits.maxTokens',
    label: words.maxTokens,
    kind: 'number',
    width: 'half',
    initial: limit(known?.limits.maxTokens),
  },
  { name: 'usePublicApex', label: words.usePublicApex, kind: 'check', initial: known?.usePublicApex ? CHECKED : '' },
  { name: 'onTaskFailure', label: words.stop, kind: 'check', initial: known?.onTaskFailure === 'stop' ? CHECKED : '' },
];

/** Each task of the row waits for the one before. */
const templatesIn = ({ chosen }: Values) => {
  const types = TYPES.filter((type) => chosen('taskTemplates').includes(type));
  return types.map((type, n) => {
    const before = types[n - 1];
    return { key: type, type, dependsOn: before ? [before] : [] };
  });
};

function commonOf(values: Values, known?: Campaign) {
  const { text, maybe, number, isChecked } = values;
  const { startAt, ...schedule } = scheduleIn(values, known?.schedule);
  return {
    name: text('name'),
    objective: text('objective'),
    zone: maybe('zone') ?? null,
    limits: { maxTasks: number('limits.maxTasks') ?? null, maxTokens: number('limits.maxTokens') ?? null },
    schedule: startAt === null && schedule.recurrence === null ? null : { startAt, ...schedule },
    usePublicApex: isChecked('usePublicApex'),
    onTaskFailure: isChecked('onTaskFailure') ? ('stop' as const) : ('continue' as const),
  };
}

export const newOf = (values: Values) => ({
  ...commonOf(values),
  engagementId: values.text('engagementId'),
  taskTemplates: templatesIn(values),
});

const knownOf = (values: Values, known: Campaign) => ({
  ...commonOf(values, known),
  ...(isInRow(known) && { taskTemplates: templatesIn(values) }),
});

export const patchOf = (values: Values, known: Campaign) =>
  changesOf(knownOf(values, known), knownOf(initialOf(fieldsOf([], known)), known));

const useEngagement = question(async (id) =>
  id === ''
    ? undefined
    : answerOf(client.GET('/api/v1/validation-operations/engagements/{id}', { params: { path: { id } } })),
);

/** The targets of the engagement, on which the tasks work. */
export const preview = ({ text, chosen }: Values) => (
  <Scope engagementId={text('engagementId')} amount={chosen('taskTemplates').length} />
);

function Scope({ engagementId, amount }: { engagementId: string; amount: number }) {
  const { data, error } = useEngagement(engagementId);
  if (engagementId === '') return <p class="preview soft">{words.noEngagement}</p>;
  if (error) return <p class="preview overdue">{error.message}</p>;
  if (!data) return <Loading lines={2} />;
  const { targets, exclusions } = data;
  const { except } = engagementForm.preview;
  return (
    <div class="preview" aria-live="polite">
      {words.scope(amount, targets.length)}
      <TargetList targets={targets} most={PREVIEWED} />
      {exclusions.length > 0 && <p>{except(exclusions.length)}</p>}
    </div>
  );
}
