import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { wordsIn } from '../../filter/filter-text.ts';
import { choicesOf, type Field, type Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Act } from '../../parts/listing.tsx';
import { Related } from '../../parts/related.tsx';
import { notify } from '../../parts/toasts.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { application } from '../../texts/application.ts';
import { texts } from '../../texts.ts';

type Mapping = RecordOf<'ApplicationAssetMapping'>;

const words = application.links;
const base = '/api/v1/software/applications/{id}';
const FIRST = 8;

const useLinks = question(async (id) => {
  const [data, { totalCount }] = await Promise.all([
    answerOf(client.GET(`${base}/assets`, { params: { path: { id }, query: { paginateSize: FIRST } } })),
    answerOf(client.GET('/api/v1/assets', { params: { query: { applicationId: id, paginateSize: 1 } } })),
  ]);
  return { data, totalCount };
});

const fields: Field[] = [
  {
    name: 'kind',
    label: words.by,
    kind: 'choice',
    options: choicesOf(words.kinds),
    initial: 'hostname',
  },
  { name: 'values', label: words.values, hint: words.valuesHint, kind: 'text', required: true },
];
const reason: Field[] = [{ name: 'reason', label: words.reason, kind: 'text', required: true }];

/** @throws where the service takes none of the values */
async function add(id: string, { text }: Values): Promise<undefined> {
  const items = wordsIn(text('values')).map((value) => ({ kind: text('kind'), value }));
  const { linked, alreadyLinked, excluded, rejected } = await answerOf(
    client.POST(`${base}/asset-links/bulk`, { params: { path: { id } }, body: { items } }),
  );
  const [refused] = rejected;
  if (refused && linked + alreadyLinked + excluded === 0) throw new Error(refused.message);
  notify(words.added(linked, alreadyLinked, excluded, rejected.length));
}

/** A link of a person goes at once; the link of a rule goes with an exclusion, because the rule would make it again. */
const Acts = ({ mapping: { id, applicationId, assetId, origin } }: { mapping: Mapping }) =>
  origin === 'rule' ? (
    <FormDialog
      label={words.exclude}
      lead={words.excludeLead}
      look="link"
      fields={reason}
      send={async ({ text }): Promise<undefined> => {
        const body = { assetIds: [assetId], alsoExclude: true, reason: text('reason') };
        await answerOf(client.POST(`${base}/assets/unlink`, { params: { path: { id: applicationId } }, body }));
        notify(words.excluded);
      }}
    />
  ) : (
    <Act
      label={words.unlink}
      sure={words.sure}
      done={words.unlinked}
      run={() =>
        answerOf(
          client.DELETE(`${base}/assets/{mapping_id}`, { params: { path: { id: applicationId, mapping_id: id } } }),
        )
      }
    />
  );

/** The newest assets of the application, and who links them. */
export const Links = ({ id }: { id: string }) => (
  <Related
    title={texts.screens.assets}
    asked={useLinks(id)}
    none={application.noAssets}
    all={`/assets?applicationId=${id}&sort=riskScore`}
    foot={<FormDialog label={words.add} look="plain" fields={fields} send={(values) => add(id, values)} />}
  >
    {(mapping) => (
      <>
        <Link href={`/assets/${mapping.assetId}`}>{mapping.asset.name}</Link>
        <span class="soft">{words.origins[mapping.origin]}</span>
        <Acts mapping={mapping} />
      </>
    )}
  </Related>
);
