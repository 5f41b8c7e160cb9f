import { Link, useParams } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { pageOf } from '../../shell/links.ts';
import { count } from '../../texts/amounts.ts';
import { compliance, control } from '../../texts/compliance.ts';
import { nameOf } from '../../texts/names.ts';
import { texts } from '../../texts.ts';
import { ControlCount, ControlsBar } from './controls-bar.tsx';
import { GroupChoice, useGroup, withGroup } from './group.tsx';

const { framework: words, columns, score } = compliance;
const STATES = ['failed', 'passed', 'notAssessed'] as const;

type About = { frameworkId: string; search: string };

const useFramework = question((about: string) => {
  const { frameworkId, search }: About = JSON.parse(about);
  const params = { path: { frameworkId } };
  return answerOf(client.GET('/api/v1/compliance/frameworks/{frameworkId}', { params, ...asTyped(search) }));
});

/** A framework: the state of its controls, what of it is assessed, and the assets that count. */
export function FrameworkPage() {
  const { id: frameworkId = '' } = useParams();
  const { search } = useGroup();
  const { data, error, ask } = useFramework(JSON.stringify({ frameworkId, search }));
  return (
    <article class="page record-page">
      <nav class="crumbs" aria-label={texts.detail.crumbs}>
        <Link href={withGroup('/compliance', search)}>{texts.screens.compliance}</Link>
      </nav>
      <h1>{data ? `${data.name} ${data.version}` : texts.screens.compliance}</h1>
      <GroupChoice />
      {error && !data && <Failed error={error} again={ask} />}
      {!data && !error && <Loading lines={8} />}
      {data && (
        <div class="record-columns">
          <div class="record-card">
            <h2 class="unseen">{texts.detail.record}</h2>
            <Section title={words.state}>
              <p class="controls-state">
                <b>{score(data.score)}</b> <span class="soft">{columns.score}</span>
              </p>
              <ControlsBar framework={data} />
              <Facts
                rows={STATES.map((one) => [
                  control.statuses[one],
                  <ControlCount key={one} of={one} framework={data} />,
                ])}
              />
              <Link class="button" href={pageOf(data.links.list['controls.total']) ?? '/controls'}>
                {words.show(data.controls.total)}
              </Link>
            </Section>
            <Section title={words.assets}>
              {data.assets.length === 0 && <p class="soft">{words.noAssets}</p>}
              <Facts
                rows={data.assets.map(({ type, count: amount, links }) => [
                  nameOf(type),
                  <Link key={type} href={pageOf(links.list.count) ?? '/assets'}>
                    {count(amount)}
                  </Link>,
                ])}
              />
            </Section>
          </div>
          <div class="record-card">
            <h2 class="unseen">{texts.detail.side}</h2>
            <Section title={words.scope}>
              <p>{data.scope}</p>
            </Section>
            <Section title={words.source}>
              <Facts
                rows={[
                  [words.publisher, data.publisher],
                  [words.source, data.source],
                  [words.compared, data.comparedWith],
                ]}
              />
            </Section>
          </div>
        </div>
      )}
    </article>
  );
}
