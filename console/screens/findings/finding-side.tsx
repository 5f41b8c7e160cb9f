import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Finding } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { Comments } from '../../parts/comments.tsx';
import { Facts, Tags } from '../../parts/facts.tsx';
import { agoOf, timeOf, utcDayOf } from '../../parts/format.ts';
import { SeverityMark } from '../../parts/marks.tsx';
import { Related } from '../../parts/related.tsx';
import { Section } from '../../parts/section.tsx';
import { filtered } from '../../shell/links.ts';
import { texts } from '../../texts.ts';
import { Followers } from './followers.tsx';

const words = texts.finding.page;
const FIRST = 5;

const useNeighbours = question((asset) => {
  const query = { filter: `asset.id:${asset} status:open,in_progress`, paginateSize: FIRST };
  return answerOf(client.GET('/api/v1/findings', { params: { query } }));
});

/** Beside a finding on its page: why it is open, dates, the other findings of its asset, comments. */
export function FindingSide({ record }: { record: Finding }) {
  const { asset, id, whyOpen, tags } = record;
  const filter = `asset.id:${asset.id} status:open,in_progress`;
  return (
    <>
      {whyOpen && (
        <Section title={texts.finding.whyOpen}>
          <p>{whyOpen.message}</p>
          {whyOpen.scan && (
            <p class="soft small">{words.lastScan(whyOpen.scan.tool ?? words.aTool, agoOf(whyOpen.scan.at))}</p>
          )}
        </Section>
      )}
      <Dates finding={record} />
      {tags.length > 0 && (
        <Section title={words.tags}>
          <Tags tags={tags} />
        </Section>
      )}
      <Related
        title={words.sameAsset}
        asked={useNeighbours(asset.id)}
        none={words.noneOther}
        all={filtered('/findings', filter)}
      >
        {({ id: other, title, severity }) => (
          <>
            <Link href={`/findings/${other}`}>{title}</Link>
            <SeverityMark severity={severity} />
          </>
        )}
      </Related>
      <CommentsOf id={id} />
      <Followers id={id} />
    </>
  );
}

const Dates = ({ finding }: { finding: Finding }) => (
  <Section title={words.facts}>
    <Facts
      rows={[
        [words.first, timeOf(finding.firstSeenAt)],
        [words.last, timeOf(finding.lastSeenAt)],
        [words.due, finding.dueAt && utcDayOf(finding.dueAt)],
        [words.fixed, finding.fixedAt && timeOf(finding.fixedAt)],
        [words.accepted, finding.acceptedUntil && timeOf(finding.acceptedUntil)],
        [words.reopened, finding.reopenedCount > 0 && texts.times(finding.reopenedCount)],
        [words.tool, finding.tool],
        [words.rule, <code key="rule">{finding.ruleId}</code>],
        [words.branch, finding.ref],
        [words.vector, finding.cvssVector && <code>{finding.cvssVector}</code>],
        [words.cwes, finding.cwes.join(', ')],
        [words.suppressed, finding.suppressedBy?.name],
      ]}
    />
  </Section>
);

const useComments = question((id) =>
  answerOf(client.GET('/api/v1/findings/{id}/comments', { params: { path: { id }, query: { paginateSize: 50 } } })),
);

function CommentsOf({ id }: { id: string }) {
  const { data, ask } = useComments(id);
  const send = (text: string) =>
    act(client.POST('/api/v1/findings/{id}/comments', { params: { path: { id } }, body: { text } }), {
      done: ({ unresolved }) =>
        unresolved.length > 0 ? words.unresolved(unresolved.map(({ text: name }) => name).join(', ')) : words.commented,
      changed: ask,
    });
  return <Comments comments={data?.data} send={send} />;
}
