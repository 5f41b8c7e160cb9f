import { useLocation } from 'wouter-preact';
import { refusedBy } from '../../api/question.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { notify } from '../../parts/toasts.tsx';
import { texts } from '../../texts.ts';
import { loadExample } from '../imports/example.ts';
import { DropZone } from '../imports/imports.tsx';

const words = texts.welcome;

/** The first page of an organization without data. */
export function Welcome() {
  const [, go] = useLocation();
  const example = () => {
    loadExample().then(
      () => go('/imports'),
      (error: unknown) => notify(refusedBy(error).message, { isError: true }),
    );
  };
  return (
    <>
      <header class="verdict">
        <h1>{words.title}</h1>
        <p>{words.lead}</p>
      </header>
      <DropZone />
      <div class="ways">
        <section class="way">
          <Icon name="findings" />
          <h2>{words.example}</h2>
          <p>{words.exampleHint}</p>
          <button type="button" class="button" onClick={example}>
            {words.example}
          </button>
        </section>
        <Way icon="code" title={words.codeHost} hint={words.codeHostHint} href="/docs#tag/code" />
        <Way icon="scanner" title={words.scanner} hint={words.scannerHint} href="/docs#tag/scanning" />
      </div>
    </>
  );
}

type WayProps = { icon: IconName; title: string; hint: string; href: string };

const Way = ({ icon, title, hint, href }: WayProps) => (
  <section class="way">
    <Icon name={icon} />
    <h2>{title}</h2>
    <p>{hint}</p>
    <a class="button" href={href}>
      {words.how}
    </a>
  </section>
);
