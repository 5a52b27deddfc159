/** The control of an option, chosen by the kind of its values. */
import type { OptionName, OptionRow } from '../../../main/job/options.ts';
import { Segments } from '../../parts/choice.tsx';
import type { ControlProps } from '../../parts/field.tsx';
import { t } from '../../texts/text.ts';
import { filesOf, setOption, type OptionValue } from '../call.ts';
import { placeholderOf, type ControlDescription } from './option-control.ts';
import {
  ColourControl,
  FileControl,
  FilesControl,
  LinesControl,
  PlainControl,
  SecretControl,
} from './option-inputs.tsx';
import type { OptionText } from './option-text.ts';

interface OptionControlProps {
  readonly name: OptionName;
  readonly row: OptionRow;
  readonly control: ControlDescription;
  readonly value: OptionValue | undefined;
  readonly entry: OptionText;
  readonly labels: ControlProps;
}

export function OptionControl({ name, row, control, value, entry, labels }: OptionControlProps) {
  const placeholder = row.isRepeatable === true ? t('options.lines') : placeholderOf(row);
  const text = { ...labels, name, value: entry.text, placeholder, onText: entry.onInput };
  switch (control.kind) {
    case 'switch':
      return <SwitchControl name={name} row={row} value={value} labels={labels} />;
    case 'segments':
      return <SegmentsControl name={name} row={row} value={value} values={control.values} />;
    case 'select':
      return <SelectControl name={name} row={row} value={value} labels={labels} values={control.values} />;
    case 'file':
      return (
        <FileControl
          {...labels}
          name={name}
          file={value instanceof File ? value : undefined}
          onFile={(file) => {
            setOption(name, file);
          }}
        />
      );
    case 'files':
      return (
        <FilesControl
          {...labels}
          name={name}
          files={filesOf(value)}
          onFiles={(files) => {
            setOption(name, files);
          }}
        />
      );
    case 'colour':
      return <ColourControl {...text} />;
    case 'secret':
      return <SecretControl {...text} />;
    case 'lines':
      return <LinesControl {...text} />;
    case 'text':
      return <PlainControl {...text} unit={control.unit} numeric={control.numeric === true} />;
  }
}

interface ValueProps {
  readonly name: OptionName;
  readonly row: OptionRow;
  readonly value: OptionValue | undefined;
}

function SwitchControl({ name, row, value, labels }: ValueProps & { readonly labels: ControlProps }) {
  return (
    <span class="switch">
      <input
        {...labels}
        type="checkbox"
        role="switch"
        checked={row.kind.read(currentText(row, value)) === true}
        onChange={(event) => {
          setOption(name, String(event.currentTarget.checked));
        }}
      />
    </span>
  );
}

function SegmentsControl({ name, row, value, values }: ValueProps & { readonly values: readonly string[] }) {
  return (
    <Segments
      label={name}
      choices={values.map((word) => ({ value: word, label: word }))}
      value={normalizedValue(row, value)}
      onChoose={(word) => {
        setOption(name, word);
      }}
    />
  );
}

interface SelectControlProps extends ValueProps {
  readonly values: readonly string[];
  readonly labels: ControlProps;
}

function SelectControl({ name, row, value, values, labels }: SelectControlProps) {
  const known = normalizedValue(row, value);
  return (
    <select
      class="input"
      {...labels}
      value={known}
      onChange={(event) => {
        setOption(name, event.currentTarget.value);
      }}
    >
      {row.default === undefined && <option value="">{t('options.not.set')}</option>}
      {/* An invalid value that was not set here, for example by running a recorded job again. */}
      {known !== '' && !values.includes(known) && <option value={known}>{known}</option>}
      {values.map((word) => (
        <option key={word} value={word}>
          {word === row.default ? t('options.is.default', { value: word }) : word}
        </option>
      ))}
    </select>
  );
}

/** Returns the value in its normal spelling, such as `true` for `1`; an invalid value is returned unchanged. */
function normalizedValue(row: OptionRow, value: OptionValue | undefined): string {
  const text = currentText(row, value);
  const read = row.kind.read(text);
  return typeof read === 'string' || typeof read === 'boolean' ? String(read) : text;
}

function currentText(row: OptionRow, value: OptionValue | undefined): string {
  return typeof value === 'string' ? value : (row.default ?? '');
}
