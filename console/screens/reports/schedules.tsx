import { answerOf, client } from '../../api/client.ts';
import { askAgain, question } from '../../api/question.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { useEndpoints, usePeople, useRoleNames, useTeams } from '../../forms/named.ts';
import { recurrenceOf, recurrencesWith } from '../../forms/schedule.ts';
import { timeOf } from '../../parts/format.ts';
import { Act, LIST_SIZE, Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { RecordActs } from '../../records/record-acts.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { reports } from '../../texts/reports.ts';
import { texts } from '../../texts.ts';
import { localOf, zone } from '../../zone.ts';
import { Looks } from './looks.tsx';
import { settingsOf, useSettingFields } from './report-form.ts';

type Schedule = RecordOf<'ReportSchedule'>;
type Template = RecordOf<'ReportTemplate'>;

const { schedules: words, templates: named } = reports;
const base = '/api/v1/report-schedules';
const templates = '/api/v1/report-templates';
const at = (id: string) => ({ params: { path: { id } } });
const whole = { params: { query: { paginateSize: LIST_SIZE } } };
const DAY_MS = 86_400_000;

const useSchedules = question(() => answerOf(client.GET(base, whole)));
const useTemplates = question(() => answerOf(client.GET(templates, whole)));

function AddSchedule() {
  const [users, teams, roles, endpoints] = [usePeople(), useTeams(), useRoleNames(), useEndpoints()];
  const known = useTemplates('').data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const fields: Field[] = [
    { name: 'name', label: words.name, kind: 'text', required: true },
    { name: 'templateId', label: words.template, kind: 'choice', options: known, required: true },
    {
      name: 'startAt',
      label: words.start,
      kind: 'moment',
      width: 'half',
      required: true,
      initial: localOf(new Date(Date.now() + DAY_MS).toISOString()),
    },
    {
      name: 'timeZone',
      label: words.timeZone,
      kind: 'text',
      width: 'half',
      initial: zone.value,
    },
    { name: 'recurrence', label: words.recurrence, kind: 'choice', options: recurrencesWith() },
    { name: 'userIds', label: words.users, kind: 'choices', options: users },
    { name: 'teamIds', label: words.teams, kind: 'choices', options: teams },
    { name: 'roleIds', label: words.roles, kind: 'choices', options: roles },
    { name: 'endpointIds', label: words.endpoints, kind: 'choices', options: endpoints },
    { name: 'onlyIfChanged', label: words.onlyIfChanged, kind: 'check' },
  ];
  return <FormDialog label={words.add} lead={words.lead} fields={fields} send={add} />;
}

async function add({ text, maybe, chosen, moment, isChecked }: Values): Promise<undefined> {
  const recipients = {
    userIds: chosen('userIds'),
    teamIds: chosen('teamIds'),
    roleIds: chosen('roleIds'),
    endpointIds: chosen('endpointIds'),
  };
  const body = {
    name: text('name'),
    templateId: text('templateId'),
    startAt: moment('startAt') ?? '',
    timeZone: maybe('timeZone'),
    recurrence: maybe('recurrence') ?? null,
    recipients,
    onlyIfChanged: isChecked('onlyIfChanged'),
  };
  await answerOf(client.POST(base, { body }));
  askAgain();
}

const turn = ({ id, version, enabled }: Schedule) =>
  answerOf(
    client.PATCH(`${base}/{id}`, { ...at(id), headers: { 'if-match': `"${version}"` }, body: { enabled: !enabled } }),
  );

const scheduleColumns: TableColumn<Schedule>[] = [
  { label: words.name, cell: ({ name }) => <span class="strong">{name}</span> },
  { label: words.recurrence, cell: ({ recurrence }) => recurrenceOf(recurrence) },
  { label: words.next, cell: ({ nextAt }) => (nextAt ? timeOf(nextAt) : words.off) },
  {
    label: words.actions,
    cell: (schedule) => (
      <RecordActs
        name={schedule.name}
        words={words}
        remove={() => answerOf(client.DELETE(`${base}/{id}`, at(schedule.id)))}
      >
        <Act label={schedule.enabled ? words.turnOff : words.turnOn} done={words.turned} run={() => turn(schedule)} />
      </RecordActs>
    ),
  },
];

const templateName: Field = { name: 'name', label: named.name, kind: 'text', required: true };

function AddTemplate() {
  const fields = [templateName, ...useSettingFields()];
  return <FormDialog label={named.add} lead={named.lead} fields={fields} send={addTemplate} />;
}

async function addTemplate(values: Values): Promise<undefined> {
  await answerOf(client.POST(templates, { body: { name: values.text('name'), ...settingsOf(values) } }));
  askAgain();
}

const templateColumns: TableColumn<Template>[] = [
  { label: named.name, cell: ({ name }) => <span class="strong">{name}</span> },
  { label: named.kind, cell: ({ kind }) => reports.kinds[kind] },
  {
    label: words.actions,
    cell: ({ id, name }) => (
      <RecordActs name={name} words={named} remove={() => answerOf(client.DELETE(`${templates}/{id}`, at(id)))}>
        <Act
          label={named.run}
          done={reports.making}
          run={() => answerOf(client.POST(`${templates}/{id}/reports`, at(id)))}
        />
      </RecordActs>
    ),
  },
];

const Schedules = () => (
  <div class="page">
    <h1>{texts.screens.reportSchedules}</h1>
    <Listing
      {...{ title: words.title, lead: words.lead, words, columns: scheduleColumns }}
      asked={useSchedules('')}
      keyOf={({ id }) => id}
    >
      <AddSchedule />
    </Listing>
    <Listing
      {...{ title: named.title, lead: named.lead, words: named, columns: templateColumns }}
      asked={useTemplates('')}
      keyOf={({ id }) => id}
    >
      <AddTemplate />
    </Listing>
    <Looks />
  </div>
);

export const parts = { List: Schedules };
