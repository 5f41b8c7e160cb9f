import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { question } from '../../api/question.ts';
import type { Finding } from '../../api/types.ts';
import { agoOf, dayOf, isOverdue, percentOf, utcDayOf } from '../../parts/format.ts';
import { Score, SeverityMark, StatusMark } from '../../parts/marks.tsx';
import { Prose } from '../../parts/prose.tsx';
import { Factors, Section } from '../../parts/section.tsx';
import type { Detail } from '../../records/detail.tsx';
import { filtered } from '../../shell/links.ts';
import { texts } from '../../texts.ts';
import { Actions, TakeIt } from './actions.tsx';
import { read } from './change-finding.ts';
import { Evidence } from './evidence.tsx';
import { EvidenceFiles } from './evidence-files.tsx';
import { FindingSide } from './finding-side.tsx';
import { History } from './history.tsx';
import { OwnerOf } from './owner-of.tsx';

const words = texts.finding;

/** A finding: what is wrong, why it matters, who, next action, evidence. */
export const findingDetail: Detail<Finding> = {
  title: texts.screens.findings,
  path: '/findings',
  useRecord: question(read),
  titleOf: ({ title }) => title,
  Marks: ({ record: { severity, status, kev, cves } }) => (
    <>
      <SeverityMark severity={severity} />
      <StatusMark status={status} />
      {kev && <span class="tag tag-kev">KEV</span>}
      {cves.map((cve) => (
        <Link key={cve} class="tag" href={filtered('/vulnerabilities', `cve:${cve}`)}>
          {cve}
        </Link>
      ))}
    </>
  ),
  Sections: ({ record: finding, put, changed }) => (
    <>
      <Next finding={finding}>
        <Actions finding={finding} put={put} changed={changed} />
      </Next>
      <Wrong finding={finding} />
      <Matters finding={finding} />
      <Who finding={finding}>
        <TakeIt finding={finding} put={put} changed={changed} />
      </Who>
      <Evidence finding={finding} />
      <EvidenceFiles id={finding.id} />
      <History id={finding.id} version={finding.version} />
    </>
  ),
  Side: FindingSide,
};

type Part = { finding: Finding };

const Next = ({ finding, children }: Part & { children: ComponentChildren }) => {
  const { component, remediation, acceptance, statusReason } = finding;
  const versions = component?.fixedVersions.join(', ');
  return (
    <Section title={words.next}>
      {component && versions ? (
        <p class="strong">{words.upgrade(component.name, versions)}</p>
      ) : (
        <p class={remediation ? 'prose' : 'soft'}>{remediation ?? words.noRemediation}</p>
      )}
      {acceptance?.until && <p class="strong">{words.acceptedUntil(dayOf(acceptance.until))}</p>}
      {statusReason && <p class="prose">{statusReason}</p>}
      {children}
    </Section>
  );
};

const Wrong = ({ finding }: Part) => (
  <Section title={words.wrong}>
    <Prose text={finding.description ?? words.noDescription} />
    <p>
      <code>{finding.location}</code>
    </p>
    <p class="soft small">{words.foundBy(finding.tool, finding.ruleId)}</p>
    {finding.whyOpen && (
      <p>
        <b>{words.whyOpen}:</b> {finding.whyOpen.message}
      </p>
    )}
  </Section>
);

const Matters = ({ finding }: Part) => {
  const { priority, priorityFactors, epss, kev, cvssScore, dueAt } = finding;
  return (
    <Section title={words.matters}>
      <p class="facts">
        <span>{words.columns.priority}</span> <Score value={priority} />
        {cvssScore !== null && <span>{words.cvss(cvssScore)}</span>}
        {epss !== null && <span>{words.epss(percentOf(epss))}</span>}
        {kev && <span class="overdue">{words.kev}</span>}
        {dueAt && (
          <span class={isOverdue(dueAt) ? 'overdue' : ''}>
            {(isOverdue(dueAt) ? words.overdue : words.due)(utcDayOf(dueAt))}
          </span>
        )}
      </p>
      <Factors factors={priorityFactors} />
    </Section>
  );
};

const Who = ({ finding, children }: Part & { children: ComponentChildren }) => {
  const { assignee, asset, firstSeenAt, lastSeenAt, occurrences } = finding;
  return (
    <Section title={words.who}>
      <p>{assignee ? words.assignee(assignee.name) : words.nobody}</p>
      {children}
      <p>
        {words.asset} <Link href={`/assets/${asset.id}`}>{asset.name}</Link> <OwnerOf assetId={asset.id} />
      </p>
      <p class="soft small">{words.seen(agoOf(firstSeenAt), agoOf(lastSeenAt), occurrences)}</p>
    </Section>
  );
};
