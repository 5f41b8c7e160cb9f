import type { operations } from '../../../dist/openapi.d.ts';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { choicesOf, chosenIn, type Field, type Option, type Values } from '../../forms/field.ts';
import { choicesOfKind, useApplications, useEngagements, useTeams } from '../../forms/named.ts';
import { LIST_SIZE } from '../../parts/listing.tsx';
import { nameOf } from '../../texts/names.ts';
import { reports } from '../../texts/reports.ts';

type Settings = operations['generateReport']['requestBody']['content']['application/json'];

const words = reports.fields;
const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français' } as const;
const CLASSES = ['public', 'internal', 'confidential', 'strictly_confidential'] as const;
export const NONE = 'none';

/** Classifications, and none. */
export const classOptions = [
  { value: NONE, label: words.noClass },
  ...CLASSES.map((value) => ({ value, label: nameOf(value) })),
];

export const classOf = ({ text }: Values) => CLASSES.find((one) => one === text('classification')) ?? null;

const SAVED = { params: { query: { entity: 'finding', paginateSize: LIST_SIZE } } } as const;
const useFilters = question(() => answerOf(client.GET('/api/v1/saved-filters', SAVED)));

/** The fields of what a report is about, with the saved filters that the person sees. */
export function useSettingFields(): Field[] {
  const saved = (useFilters('').data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const abouts = [
    ...choicesOfKind('application', reports.kinds.application, useApplications()),
    ...choicesOfKind('team', reports.kinds.team, useTeams()),
    ...choicesOfKind('engagement', reports.kinds.engagement, useEngagements()),
  ];
  return settingFields(
    [{ value: NONE, label: words.noFilter }, ...saved],
    [{ value: '', label: words.noAbout }, ...abouts],
  );
}

const settingFields = (saved: Option[], abouts: Option[]): Field[] => [
  {
    name: 'kind',
    label: words.kind,
    kind: 'choice',
    width: 'half',
    initial: 'executive',
    options: choicesOf(reports.kinds),
  },
  {
    name: 'language',
    label: words.language,
    kind: 'choice',
    width: 'half',
    initial: 'en',
    options: choicesOf(LANGUAGES),
  },
  { name: 'title', label: words.title, hint: words.titleHint, kind: 'text' },
  { name: 'periodDays', label: words.period, kind: 'number', width: 'half', initial: '30' },
  {
    name: 'classification',
    label: words.classification,
    kind: 'choice',
    width: 'half',
    initial: NONE,
    options: classOptions,
  },
  { name: 'filter', label: words.filter, hint: words.filterHint, kind: 'text' },
  { name: 'filterId', label: words.saved, hint: words.savedHint, kind: 'choice', initial: NONE, options: saved },
  { name: 'about', label: words.about, hint: words.aboutHint, kind: 'choice', options: abouts },
  { name: 'framework', label: words.framework, hint: words.frameworkHint, kind: 'text' },
];

export function settingsOf(values: Values): Settings {
  const { text, maybe, number } = values;
  const kind = chosenIn(reports.kinds, text('kind'));
  const about = (of: typeof kind) => (kind === of ? (maybe('about')?.split(' ')[1] ?? null) : null);
  return {
    kind,
    language: chosenIn(LANGUAGES, text('language')),
    title: maybe('title') ?? null,
    periodDays: number('periodDays') ?? 30,
    classification: classOf(values),
    filter: maybe('filter') ?? null,
    filterId: text('filterId') === NONE ? null : text('filterId'),
    applicationId: about('application'),
    teamId: about('team'),
    engagementId: about('engagement'),
    framework: maybe('framework') ?? null,
  };
}
