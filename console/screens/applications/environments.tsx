import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { choicesOf, chosenIn, type Field, type Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Related } from '../../parts/related.tsx';
import { RecordActs } from '../../records/record-acts.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { application } from '../../texts/application.ts';

export type Environment = RecordOf<'ApplicationEnvironment'>;

const words = application.environments;
const base = '/api/v1/software/applications/{id}/environments';

export const useEnvironments = question(async (id) => {
  const data = await answerOf(client.GET(base, { params: { path: { id } } }));
  return { data, totalCount: data.length };
});

const fieldsOf = (known?: Environment): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, width: 'half', initial: known?.name ?? '' },
  {
    name: 'kind',
    label: words.kind,
    kind: 'choice',
    width: 'half',
    options: choicesOf(words.kinds),
    initial: known?.kind ?? 'production',
  },
  { name: 'description', label: words.description, kind: 'text', initial: known?.description ?? '' },
];

const bodyOf = ({ text, maybe }: Values) => ({
  name: text('name'),
  kind: chosenIn(words.kinds, text('kind')),
  description: maybe('description') ?? null,
});

function Acts({ environment }: { environment: Environment }) {
  const { id, applicationId, name, version } = environment;
  const params = { path: { id: applicationId, env_id: id } };
  const headers = { 'if-match': `"${version}"` };
  return (
    <RecordActs
      name={name}
      words={words}
      fields={fieldsOf(environment)}
      save={(values) => answerOf(client.PATCH(`${base}/{env_id}`, { params, headers, body: bodyOf(values) }))}
      remove={() => answerOf(client.DELETE(`${base}/{env_id}`, { params }))}
    />
  );
}

/** The stages at which an application runs, which its links and rules may name. */
export const Environments = ({ id }: { id: string }) => (
  <Related
    title={words.title}
    asked={useEnvironments(id)}
    none={words.none}
    foot={
      <FormDialog
        label={words.add}
        look="plain"
        fields={fieldsOf()}
        send={async (values): Promise<undefined> => {
          await answerOf(client.POST(base, { params: { path: { id } }, body: bodyOf(values) }));
        }}
      />
    }
  >
    {(environment) => (
      <>
        <span class="strong">{environment.name}</span>
        <span class="tag">{words.kinds[environment.kind]}</span>
        {environment.description && <span class="soft">{environment.description}</span>}
        <Acts environment={environment} />
      </>
    )}
  </Related>
);
