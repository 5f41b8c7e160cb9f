import { form as words } from '../texts/form.ts';

type CopyLineProps = { label: string; text: string };

/** A value to enter elsewhere, with a button that copies it. */
export const CopyLine = ({ label, text }: CopyLineProps) => (
  <div class="secret">
    <span class="soft small">{label}</span>
    <code>{text}</code>
    <button
      type="button"
      class="button"
      aria-label={`${words.copy}: ${label}`}
      onClick={() => void navigator.clipboard.writeText(text)}
    >
      {words.copy}
    </button>
  </div>
);
