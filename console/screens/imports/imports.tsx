import { useRef } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';
import { texts } from '../../texts.ts';
import { Earlier } from './earlier.tsx';
import { Tasks } from './tasks.tsx';
import { UploadLines } from './upload-lines.tsx';
import { importFiles, target } from './uploads.ts';

const words = texts.imports;

/** The page for reports: drop, progress, and what came of it. */
export const Imports = () => (
  <div class="page">
    <h1>{words.title}</h1>
    <p class="soft">{words.lead}</p>
    <DropZone />
    <TargetField />
    <UploadLines />
    <Tasks />
    <Earlier />
  </div>
);

/** Files are chosen here, or dropped anywhere. */
export function DropZone() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="drop-zone">
      <Icon name="imports" />
      <strong>{words.dropHere}</strong>
      <span class="soft">{words.formats}</span>
      <button type="button" class="button main" onClick={() => input.current?.click()}>
        {words.choose}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={words.choose}
        onChange={({ currentTarget }) => {
          importFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

/** Only a scan of a known target proves that a finding is gone. */
const TargetField = () => (
  <label class="target">
    <span>{words.target}</span>
    <input
      value={target.value}
      maxLength={2048}
      spellcheck={false}
      placeholder={words.targetExample}
      onInput={({ currentTarget }) => {
        target.value = currentTarget.value;
      }}
    />
    <span class="soft small">{words.targetHint}</span>
  </label>
);

export const parts = { List: Imports };
