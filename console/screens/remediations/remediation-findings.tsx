import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { StatusMark } from '../../parts/marks.tsx';
import { Related } from '../../parts/related.tsx';
import { texts } from '../../texts.ts';

const FIRST = 10;

const useFindings = question((remediationId) =>
  answerOf(client.GET('/api/v1/findings', { params: { query: { remediationId, paginateSize: FIRST } } })),
);

/** The findings that a remediation is to close. */
export const RemediationFindings = ({ id }: { id: string }) => (
  <Related
    title={texts.screens.findings}
    asked={useFindings(id)}
    none={texts.remediation.noFindings}
    all={`/findings?remediationId=${id}`}
  >
    {(finding) => (
      <>
        <Link href={`/findings/${finding.id}`}>{finding.title}</Link>
        <StatusMark status={finding.status} />
      </>
    )}
  </Related>
);
