import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { refusedBy } from '../../api/question.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { notify } from '../../parts/toasts.tsx';
import { guides } from '../../texts/guides.ts';
import { texts } from '../../texts.ts';
import { loadExample } from '../imports/example.ts';
import { DropZone } from '../imports/imports.tsx';
import { CodeHostGuide } from './code-host-guide.tsx';
import { ScannerGuide } from './scanner-guide.tsx';

const words = texts.welcome;

type GuideProps = { close: () => void };
type Way = { icon: IconName; title: string; hint: string; Guide: ComponentType<GuideProps> };

const WAYS: readonly Way[] = [
  { icon: 'code', title: words.codeHost, hint: words.codeHostHint, Guide: CodeHostGuide },
  { icon: 'scanner', title: words.scanner, hint: words.scannerHint, Guide: ScannerGuide },
  { icon: 'findings', title: words.example, hint: words.exampleHint, Guide: ExampleGuide },
];

/** The first page of an organization without data. */
export function Welcome() {
  const open = useSignal<Way | undefined>(undefined);
  const close = () => {
    open.value = undefined;
  };
  return (
    <>
      <header class="verdict">
        <h1>{words.title}</h1>
        <p>{words.lead}</p>
      </header>
      <DropZone />
      <div class="ways">
        {WAYS.map((way) => (
          <section key={way.title} class="way">
            <Icon name={way.icon} />
            <h2>{way.title}</h2>
            <p>{way.hint}</p>
            <button
              type="button"
              class="button"
              aria-label={words.beginWith(way.title)}
              onClick={() => {
                open.value = way;
              }}
            >
              {words.begin}
            </button>
          </section>
        ))}
      </div>
      {open.value && <open.value.Guide close={close} />}
    </>
  );
}

/** The example is imported as if the person had dropped it: the dialog of uploads then shows what comes of it. */
function ExampleGuide({ close }: GuideProps) {
  const example = guides.example;
  const load = () => {
    close();
    loadExample().catch((error: unknown) => notify(refusedBy(error).message, { isError: true }));
  };
  return (
    <Dialog kind="dialog" title={example.title} close={close}>
      <p>{example.lead}</p>
      <p class="soft">{example.undo}</p>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {texts.cancel}
        </button>
        <button type="button" class="button main" onClick={load}>
          {example.submit}
        </button>
      </div>
    </Dialog>
  );
}
