import { Menu } from '../parts/menu.tsx';
import { notify } from '../parts/toasts.tsx';
import { texts } from '../texts.ts';
import type { Hidden } from './columns.ts';
import { curlOf, exposureOf } from './commands.ts';
import { type ExportKind, exportList } from './export.ts';
import type { RecordKind } from './kind.ts';
import { SavedViews } from './saved-views.tsx';
import type { Address } from './use-address.ts';

type ToolsProps<T extends { id: string }> = { kind: RecordKind<T>; address: Address; hidden: Hidden };

/** Order, values to choose from, saved views, columns, and the request of what the page shows. */
export const ListTools = <T extends { id: string }>({ kind, address, hidden }: ToolsProps<T>) => (
  <div class="list-tools">
    {kind.facets?.map(({ name, label, values }) => (
      <Choice
        key={name}
        label={label}
        value={address.valueOf(name)}
        values={[{ value: '', label: texts.list.every(label) }, ...values]}
        choose={(value) => address.set(name, value)}
      />
    ))}
    {kind.orders && (
      <Choice
        label={texts.list.order}
        value={address.sort}
        values={kind.orders}
        choose={(value) => address.set('sort', value)}
      />
    )}
    {kind.entity && <SavedViews entity={kind.entity} address={address} />}
    <Menu label={texts.list.more} icon="more">
      <fieldset class="columns">
        <legend>{texts.list.columns}</legend>
        {kind.columns
          .filter(({ name }) => name !== 'title')
          .map(({ name, label }) => (
            <label key={name}>
              <input type="checkbox" checked={!hidden.hidden.value.has(name)} onChange={() => hidden.toggle(name)} />{' '}
              {label}
            </label>
          ))}
      </fieldset>
      <button
        type="button"
        class="button"
        onClick={() => void copy(curlOf(location.origin, kind.path, address.search), texts.list.copied)}
      >
        {texts.list.curl}
      </button>
      <button
        type="button"
        class="button"
        onClick={() => void copy(exposureOf(kind.path, address.search), texts.list.copiedExposure)}
      >
        {texts.list.exposure}
      </button>
      {kind.file && <FileButton file={kind.file} search={address.search} />}
    </Menu>
  </div>
);

const FileButton = ({ file, search }: { file: ExportKind; search: string }) => (
  <button type="button" class="button" onClick={() => void exportList(file, search)}>
    {texts.list.export}
  </button>
);

type ChoiceProps = {
  label: string;
  value: string;
  values: readonly { value: string; label: string }[];
  choose: (value: string) => void;
};

const Choice = ({ label, value, values, choose }: ChoiceProps) => (
  <label class="order">
    <span class="unseen">{label}</span>
    <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {values.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
    </select>
  </label>
);

/** A browser that gives no clipboard shows the command. */
const copy = (command: string, done: string): Promise<void> =>
  navigator.clipboard.writeText(command).then(
    () => notify(done),
    () => notify(command),
  );
