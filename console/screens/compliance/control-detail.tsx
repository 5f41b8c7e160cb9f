import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Control, ControlCriterion, ControlEvidence } from '../../api/types.ts';
import { dayOf } from '../../parts/format.ts';
import { SeverityMark, StatusMark } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import type { Detail } from '../../records/detail.tsx';
import { control as words } from '../../texts/compliance.ts';
import { controlName, nameOf } from '../../texts/names.ts';
import { texts } from '../../texts.ts';
import { useGroup, withGroup } from './group.tsx';

type About = { controlId: string; search: string };

const useControl = question((about: string) => {
  const { controlId, search }: About = JSON.parse(about);
  const params = { path: { controlId } };
  return answerOf(client.GET('/api/v1/compliance/controls/{controlId}', { params, ...asTyped(search) }));
});

const OPEN = 'open,in_progress';
const ACCEPTED = 'risk_accepted';

/** The controls of some benchmarks have their subject and their number as the title: nobody reads the number twice. */
const CLASSES = { passed: 'status-completed', failed: 'status-failed', notAssessed: '' };

export const ControlStatus = ({ status }: Pick<Control, 'status'>) => (
  <span class={`status ${CLASSES[status]}`}>{words.statuses[status]}</span>
);

/** The findings of these criteria in the chosen group of assets: exactly those that the control counts. */
function useFindingsOf() {
  const { chosen } = useGroup();
  return (criteria: readonly ControlCriterion[], statuses: string) => {
    const [kind = 'weakness'] = criteria.map((one) => one.kind);
    const names = criteria.map((one) => JSON.stringify(one.kind === 'check' ? one.check : one.name));
    const filter = [`${kind}:${names.join(',')}`, `status:${statuses}`];
    const parameters = new URLSearchParams();
    for (const [name, value] of chosen) {
      if (name === 'applicationId') parameters.set(name, value);
      else filter.push(`${name === 'zone' ? 'asset.zone' : 'asset.type'}:${JSON.stringify(value)}`);
    }
    parameters.set('filter', filter.join(' '));
    return `/findings?${parameters}`;
  };
}

/** A control of a framework: what to do, what decides, and the evidence. */
export const controlDetail: Detail<ControlEvidence> = {
  title: texts.screens.controls,
  path: '/controls',
  useRecord: (controlId) => {
    const { search } = useGroup();
    return useControl(JSON.stringify({ controlId, search }));
  },
  titleOf: controlName,
  Marks: ({ record: { status, exceptionsOnly, framework } }) => {
    const { search } = useGroup();
    return (
      <>
        <ControlStatus status={status} />
        {exceptionsOnly && <span class="tag">{words.exceptions}</span>}
        <Link href={withGroup(`/compliance/${framework.id}`, search)}>
          {words.frameworkPage(framework.name, framework.version)}
        </Link>
      </>
    );
  },
  Sections: ({ record }) => (
    <>
      <Next control={record} />
      <Section title={words.criteria}>
        <ul class="criteria">
          {record.criteria.map((criterion) => (
            <li key={criterion.name}>
              <Criterion criterion={criterion} />
            </li>
          ))}
        </ul>
      </Section>
      <Evidence control={record} />
    </>
  ),
};

type PartProps = { control: ControlEvidence };

function Next({ control: { status, exceptionsOnly, criteria } }: PartProps) {
  const pageOf = useFindingsOf();
  const open = criteria.reduce((all, { openFindings }) => all + openFindings, 0);
  const accepted = criteria.reduce((all, { acceptedFindings }) => all + acceptedFindings, 0);
  const isProvable = criteria.some(
    (one) => one.kind === 'check' || one.looked.some(({ assets, by }) => assets > 0 && by.length > 0),
  );
  return (
    <Section title={texts.finding.next}>
      {status === 'failed' && !exceptionsOnly && (
        <p>
          <Link class="button main" href={pageOf(criteria, OPEN)}>
            {words.next.fix(open)}
          </Link>
        </p>
      )}
      {exceptionsOnly && (
        <p>
          <Link href={pageOf(criteria, ACCEPTED)}>{words.next.decide(accepted)}</Link>
        </p>
      )}
      {status === 'passed' && <p>{words.next.passed}</p>}
      {status === 'notAssessed' && <p>{isProvable ? words.next.look : words.next.unprovable}</p>}
    </Section>
  );
}

function Criterion({ criterion }: { criterion: ControlCriterion }) {
  const pageOf = useFindingsOf();
  const { name, title, openFindings, acceptedFindings } = criterion;
  return (
    <>
      <span>
        <span class="strong">{title}</span> {!title.endsWith(` ${name}`) && <code>{name}</code>}
      </span>
      <span class="acts small">
        {openFindings > 0 && (
          <Link class="overdue" href={pageOf([criterion], OPEN)}>
            {words.openOf(openFindings)}
          </Link>
        )}
        {acceptedFindings > 0 && <Link href={pageOf([criterion], ACCEPTED)}>{words.acceptedOf(acceptedFindings)}</Link>}
        {openFindings + acceptedFindings === 0 && <span class="soft">{words.nothing}</span>}
      </span>
      <span class="soft small">{criterion.kind === 'check' ? passedOf(criterion) : lookedOf(criterion)}</span>
    </>
  );
}

type Check = Extract<ControlCriterion, { kind: 'check' }>;
type Weakness = Extract<ControlCriterion, { kind: 'weakness' }>;

const passedOf = ({ passedOn, passedInCode }: Check): string =>
  passedOn + passedInCode === 0
    ? words.neverPassed
    : [passedOn > 0 && words.passedOn(passedOn), passedInCode > 0 && words.passedInCode(passedInCode)]
        .filter(Boolean)
        .join(', ');

/** On which types of assets tools looked, and which look is missing. */
const lookedOf = ({ looked }: Weakness) =>
  looked
    .filter(({ assets }) => assets > 0)
    .map(({ assetType, assets, by }) => {
      const seen = Math.max(0, ...by.map((look) => look.assets));
      const type = nameOf(assetType);
      const text =
        by.length === 0
          ? words.noTool(type)
          : seen > 0
            ? words.looked(type, seen, assets)
            : words.missing(type, by.map(({ look }) => words.looks[look]).join(words.or));
      return (
        <span key={assetType} class="block">
          {text}
        </span>
      );
    });

function Evidence({ control: { criteria, findings, findingsCount, looks } }: PartProps) {
  const pageOf = useFindingsOf();
  return (
    <>
      <Section title={words.evidence}>
        {findingsCount === 0 && <p class="soft">{words.noFindings}</p>}
        <ul class="related">
          {findings.map(({ id, title, severity, status }) => (
            <li key={id}>
              <Link href={`/findings/${id}`}>{title}</Link>
              <SeverityMark severity={severity} />
              <StatusMark status={status} />
            </li>
          ))}
        </ul>
        {findingsCount > 0 && (
          <Link href={pageOf(criteria, `${OPEN},${ACCEPTED}`)}>{texts.detail.all(findingsCount)}</Link>
        )}
      </Section>
      <Section title={words.scans}>
        {looks.length === 0 && <p class="soft">{words.noScans}</p>}
        <ul class="related">
          {looks.map(({ asset, looks: seen }) => (
            <li key={asset.id}>
              <Link href={`/assets/${asset.id}`}>{asset.name}</Link>
              <span class="soft small">{seen.map(({ tool, day }) => words.lookOf(tool, dayOf(day))).join('; ')}</span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}
