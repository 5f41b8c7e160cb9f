import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { FindingItem } from '../../api/types.ts';
import { DueMark, Score, SeverityMark } from '../../parts/marks.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { filtered, pageOf } from '../../shell/links.ts';
import { texts } from '../../texts.ts';
import { OpenCounts } from '../assets/open-counts.tsx';

const words = texts.home;
const SHOWN = 5;

const useTop = question(() => answerOf(client.GET('/api/v1/dashboards/overview/top_findings')));
const useFixes = question(() =>
  answerOf(
    client.GET('/api/v1/vulnerabilities/by-fix', { params: { query: { sort: 'closes', paginateSize: SHOWN } } }),
  ),
);
const useRiskiest = question(() =>
  answerOf(client.GET('/api/v1/assets', { params: { query: { sort: 'riskScore', paginateSize: SHOWN } } })),
);
const SOON = 'status:open,in_progress due:7d';
const ENDING = 'status:risk_accepted acceptanceEnds:30d';
const useDue = question(() =>
  answerOf(client.GET('/api/v1/findings', { params: { query: { filter: SOON, sort: 'dueAt', paginateSize: SHOWN } } })),
);

/** The lists of the first page do not wait for its figures. */
export function askForFirst(): void {
  for (const ask of [useTop, useRiskiest, useFixes, useDue]) ask.ahead('');
}

type CardProps = { title: string; link?: ComponentChildren; children: ComponentChildren };

export const Card = ({ title, link, children }: CardProps) => (
  <section class="card">
    <header>
      <h2>{title}</h2>
      {link}
    </header>
    {children}
  </section>
);

const PRIORITY = '/findings?sort=priority';

/** The finding opens beside the list of the card: the next ones follow by the keyboard. */
const FindingLine = ({ finding, list }: { finding: FindingItem; list: string }) => (
  <li>
    <Link href={`${list}&open=${finding.id}`} class="line">
      <SeverityMark severity={finding.severity} />
      <span class="line-main">
        <span class="cut strong">{finding.title}</span>
        <span class="cut soft small">{finding.asset.name}</span>
      </span>
      <span class="line-end">
        <Score value={finding.priority} />
        <span class="small">
          <DueMark dueAt={finding.dueAt} />
        </span>
      </span>
    </Link>
  </li>
);

/** The open findings of highest priority. */
export function FixFirst() {
  const { data, error, ask } = useTop('');
  return (
    <Card title={words.fixFirst} link={<Link href={PRIORITY}>{words.allByPriority}</Link>}>
      {error && !data && <Failed error={error} again={ask} />}
      {!data && !error && <Loading lines={SHOWN} />}
      <ul class="lines">
        {data?.map((finding) => (
          <FindingLine key={finding.id} finding={finding} list={PRIORITY} />
        ))}
      </ul>
    </Card>
  );
}

const BY_RISK = '/assets?sort=riskScore';

/** The service compares a bounded number of assets by risk: these are the parts of more that people ask for first. */
const TooManyToRank = () => (
  <>
    <p class="soft">{words.tooManyToRank}</p>
    <ul class="lines">
      {[
        { to: `${filtered('/assets', 'criticality:critical')}&sort=riskScore`, label: words.critical },
        { to: `${filtered('/assets', 'internetExposed:true')}&sort=riskScore`, label: words.exposed },
        { to: '/assets', label: words.allAssets },
      ].map(({ to, label }) => (
        <li key={to}>
          <Link href={to} class="line">
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </>
);

/** The assets with the highest risk. */
export function Riskiest() {
  const { data, error, ask } = useRiskiest('');
  const areTooMany = error?.code === 'unsupported_filter';
  const risky = data?.data.filter(({ riskScore }) => riskScore > 0) ?? [];
  return (
    <Card title={words.riskiest} link={!areTooMany && <Link href={BY_RISK}>{words.allByRisk}</Link>}>
      {areTooMany && <TooManyToRank />}
      {error && !data && !areTooMany && <Failed error={error} again={ask} />}
      {!data && !error && <Loading lines={SHOWN} />}
      {data && risky.length === 0 && <p class="soft">{words.noRisk}</p>}
      <ul class="lines">
        {risky.map(({ id, name, riskScore, openFindings }) => (
          <li key={id}>
            <Link href={`${BY_RISK}&open=${id}`} class="line">
              <span class="line-main">
                <span class="cut strong">{name}</span>
              </span>
              <OpenCounts counts={openFindings} />
              <Score value={riskScore} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** One upgrade often closes more than any single finding. */
export function Fixes() {
  const { data, error, ask } = useFixes('');
  return (
    <Card title={words.fixes} link={<Link href="/fixes?sort=closes">{words.allFixes}</Link>}>
      {error && !data && <Failed error={error} again={ask} />}
      {data?.totalCount === 0 && <p class="soft">{words.noFixes}</p>}
      <ul class="lines">
        {data?.data.map(({ id, component, version, closes, assets, links }) => (
          <li key={id}>
            <Link href={pageOf(links.list.closes) ?? '/fixes'} class="line">
              <span class="line-main">
                <span class="cut strong">{words.fix(component.name, version)}</span>
                <span class="cut soft small">{words.fixEffect(closes, assets)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The open findings that are due first. */
export function DueSoon() {
  const { data, error, ask } = useDue('');
  const all = `${filtered('/findings', SOON)}&sort=dueAt`;
  return (
    <Card
      title={words.dueSoon}
      link={
        data &&
        data.totalCount > 0 && (
          <Link href={all}>{texts.list.total(data.totalCount, texts.finding.one, texts.finding.many)}</Link>
        )
      }
    >
      {error && !data && <Failed error={error} again={ask} />}
      {data?.totalCount === 0 && <p class="soft">{words.nothingDue}</p>}
      <ul class="lines">
        {data?.data.map((finding) => (
          <FindingLine key={finding.id} finding={finding} list={all} />
        ))}
      </ul>
      <p class="small">
        <Link href={filtered('/findings', ENDING)}>{words.acceptancesEnd}</Link>
      </p>
    </Card>
  );
}
