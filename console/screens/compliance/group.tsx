import { useSearchParams } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { compliance } from '../../texts/compliance.ts';
import { nameOf } from '../../texts/names.ts';
import { texts } from '../../texts.ts';

const words = compliance.group;
const MAX_SHOWN = 200;
const page = { params: { query: { paginateSize: MAX_SHOWN } } };
const TYPES = [
  'host',
  'url',
  'domain',
  'repository',
  'container_image',
  'cloud_account',
  'application',
  'cloud_resource',
  'edr_device',
] as const;

/** The parameters that name the assets that count. */
const GROUP = ['zone', 'applicationId', 'assetType'] as const;
type Part = (typeof GROUP)[number];

/** Zones and applications of the organization, for a choice. */
const useParts = question(async () => {
  const [zones, applications] = await Promise.all([
    answerOf(client.GET('/api/v1/zones', page)),
    answerOf(client.GET('/api/v1/software/applications', page)),
  ]);
  return {
    zone: zones.data.map(({ name }) => ({ value: name, label: name })),
    applicationId: applications.data.map(({ id, name }) => ({ value: id, label: name })),
    assetType: TYPES.map((value) => ({ value, label: nameOf(value) })),
  };
});

/** The group of assets in the address, as the parameters of an operation. */
export function useGroup() {
  const [params, set] = useSearchParams();
  const chosen = GROUP.flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value] as const] : [];
  });
  const choose = (name: Part, value: string) =>
    set((before) => {
      const next = new URLSearchParams(before);
      if (value) next.set(name, value);
      else next.delete(name);
      // counters know no assets of a zone and of an application at once
      if (value && name === 'zone') next.delete('applicationId');
      if (value && name === 'applicationId') next.delete('zone');
      return next;
    });
  return { search: new URLSearchParams(chosen.map(([name, value]) => [name, value])).toString(), chosen, choose };
}

/** The path of a page with the same group of assets. */
export const withGroup = (path: string, search: string): string => (search ? `${path}?${search}` : path);

/** Which assets count, on each page of compliance. */
export function GroupChoice() {
  const { data } = useParts('');
  const { chosen, choose } = useGroup();
  const now: Partial<Record<Part, string>> = Object.fromEntries(chosen);
  return (
    <fieldset class="group-choice">
      <legend class="unseen">{words.label}</legend>
      {GROUP.map((name) => (
        <label key={name}>
          <span class="unseen">{words[name]}</span>
          <select value={now[name] ?? ''} onChange={({ currentTarget }) => choose(name, currentTarget.value)}>
            <option value="">{words.all(words[name])}</option>
            {now[name] && !data?.[name].some(({ value }) => value === now[name]) && (
              <option value={now[name]}>{now[name]}</option>
            )}
            {data?.[name].map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      ))}
    </fieldset>
  );
}

export const VIEWS = [
  { path: '/compliance', title: compliance.frameworks },
  { path: '/controls', title: texts.screens.controls },
];
