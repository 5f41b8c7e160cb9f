import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { Facts } from '../../parts/facts.tsx';
import { dayOf, percentOf } from '../../parts/format.ts';
import { SeverityMark } from '../../parts/marks.tsx';
import { Related } from '../../parts/related.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { texts } from '../../texts.ts';

const words = texts.vulnerability.advisory;
const FIRST = 8;
/** No vulnerability is above all of them. */
const MOST_BELOW = 0.999;

const useAdvisory = question((advisoryId) =>
  answerOf(client.GET('/api/v1/advisories/{advisoryId}', { params: { path: { advisoryId } } })),
);

/** The facts of an advisory that the feeds know. */
export function AdvisoryFacts({ advisoryId }: { advisoryId: string }) {
  const { data, error } = useAdvisory(advisoryId);
  return (
    <Section title={words.title}>
      {!data && !error && <Loading lines={3} />}
      {!data && error && (error.code === 'not_found' ? <p class="soft">{words.unknown}</p> : <Failed error={error} />)}
      {data && (
        <Facts
          rows={[
            [
              words.epss,
              data.epss &&
                words.epssValue(
                  percentOf(data.epss.probability),
                  percentOf(Math.min(data.epss.percentile, MOST_BELOW)),
                ),
            ],
            [words.kev, data.kev ? words.kevValue(dayOf(data.kev.addedAt), data.kev.ransomware) : words.notKev],
            [
              words.cvss,
              Object.values(data.cvss)
                .map(({ score }) => score)
                .join(', '),
            ],
            [words.aliases, data.aliases.join(', ')],
            [words.fixed, data.fixed.map(({ product, version }) => `${product} ${version}`).join(', ')],
            [words.modified, data.modifiedAt && dayOf(data.modifiedAt)],
          ]}
        />
      )}
    </Section>
  );
}

/** The page with the open vulnerabilities of an advisory. */
export const openOf = (advisoryId: string): string =>
  `/vulnerabilities?${new URLSearchParams(parametersOf(advisoryId))}`;

const parametersOf = (advisoryId: string) => ({ filter: `advisory:"${advisoryId}" status:open,in_progress` });

/** The first open vulnerabilities of an advisory. */
export const useOpen = question((advisoryId) => {
  const query = { ...parametersOf(advisoryId), paginateSize: FIRST };
  return answerOf(client.GET('/api/v1/vulnerabilities', { params: { query } }));
});

export const AdvisoryAssets = ({ advisoryId }: { advisoryId: string }) => (
  <Related title={words.assets} asked={useOpen(advisoryId)} none={words.none} all={openOf(advisoryId)}>
    {({ id, asset, severity }) => (
      <>
        <Link href={`/vulnerabilities/${id}`}>{asset.name}</Link>
        <SeverityMark severity={severity} />
      </>
    )}
  </Related>
);
