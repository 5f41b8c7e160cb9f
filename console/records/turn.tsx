import { Section } from '../parts/section.tsx';
import { texts } from '../texts.ts';

type TurnProps = {
  /** The advice for the state of the machine. */
  text: string;
  isOn: boolean;
  words: { on: string; off: string };
  turn: (enabled: boolean) => void;
};

/** The next action for a machine: it is turned on or off. */
export const Turn = ({ text, isOn, words, turn }: TurnProps) => (
  <Section title={texts.finding.next}>
    <p>{text}</p>
    <div class="actions">
      <button type="button" class="button" onClick={() => turn(!isOn)}>
        {isOn ? words.off : words.on}
      </button>
    </div>
  </Section>
);
