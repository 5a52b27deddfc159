/** Controls for options whose value is text (plain, with a unit, colour, secret, several lines) or a file. */
import { Eye, EyeOff, FileUp, X } from 'lucide-preact';
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../../parts/button.tsx';
import type { ControlProps } from '../../parts/field.tsx';
import { size, t } from '../../texts/text.ts';

interface TextControlProps extends ControlProps {
  /** Name of the option. */
  readonly name: string;
  readonly value: string;
  readonly placeholder: string;
  readonly onText: (text: string) => void;
}

type PlainProps = TextControlProps & { readonly unit?: string | undefined; readonly numeric?: boolean };

export function PlainControl({ unit, numeric, ...control }: PlainProps) {
  return (
    <span class="option-measure">
      <input class="input" {...fieldOf(control)} inputMode={numeric === true ? 'numeric' : undefined} />
      {unit !== undefined && <span aria-hidden="true">{unit}</span>}
    </span>
  );
}

/** A colour picker and a text field. The picker has no alpha channel, so it keeps the alpha digits of the text. */
export function ColourControl(control: TextControlProps) {
  const { name, value, onText } = control;
  const [, rgb = 'ffffff', alpha = ''] = /^\s*#?([\da-f]{6})([\da-f]{2})?\s*$/i.exec(value) ?? [];
  return (
    <span class="option-colour">
      <input
        type="color"
        aria-label={t('options.colour', { name })}
        data-empty={value === '' ? '' : undefined}
        value={`#${rgb}`}
        onInput={(event) => {
          onText(event.currentTarget.value.slice(1) + alpha);
        }}
      />
      <input class="input mono" {...fieldOf(control)} />
    </span>
  );
}

export function SecretControl(control: TextControlProps) {
  const [isRevealed, setRevealed] = useState(false);
  const label = t(isRevealed ? 'options.hide' : 'options.reveal', { name: control.name });
  return (
    <span class="option-secret">
      <input class="input" {...fieldOf(control)} type={isRevealed ? 'text' : 'password'} />
      <IconButton
        icon={isRevealed ? EyeOff : Eye}
        label={label}
        aria-pressed={isRevealed}
        onClick={() => {
          setRevealed(!isRevealed);
        }}
      />
    </span>
  );
}

/** A text area that grows with its content. */
export function LinesControl(control: TextControlProps) {
  return <textarea class="input mono option-lines" rows={3} {...fieldOf(control)} />;
}

function fieldOf({ onText, name: _, ...rest }: TextControlProps) {
  const onInput = (event: { readonly currentTarget: { readonly value: string } }) => {
    onText(event.currentTarget.value);
  };
  return { ...rest, onInput, autocomplete: 'off' as const, spellcheck: false };
}

interface FileControlProps extends ControlProps {
  readonly name: string;
  readonly file: File | undefined;
  readonly onFile: (file: File | undefined) => void;
}

export function FileControl({ name, file, onFile, ...control }: FileControlProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <span class="option-file">
      <FileInput
        field={input}
        name={name}
        onFiles={([chosen]) => {
          onFile(chosen);
        }}
      />
      <Button
        {...control}
        icon={FileUp}
        aria-label={file === undefined ? t('options.choose', { name }) : `${name}: ${file.name}`}
        title={file?.name}
        onClick={() => {
          input.current?.click();
        }}
      >
        <span class="cut">{file?.name ?? t('options.choose.file')}</span>
        {file !== undefined && <span class="option-file-size">{size(file.size)}</span>}
      </Button>
      {file !== undefined && (
        <IconButton
          icon={X}
          label={t('options.remove', { name })}
          onClick={() => {
            onFile(undefined);
          }}
        />
      )}
    </span>
  );
}

interface FilesControlProps extends ControlProps {
  readonly name: string;
  readonly files: readonly File[];
  readonly onFiles: (files: readonly File[]) => void;
}

/** A button that adds files, above the list of the files. */
export function FilesControl({ name, files, onFiles, ...control }: FilesControlProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <span class="option-files">
      <FileInput
        field={input}
        name={name}
        multiple
        onFiles={(chosen) => {
          onFiles([...files, ...chosen]);
        }}
      />
      <Button
        {...control}
        icon={FileUp}
        aria-label={t('options.add.files.to', { name })}
        onClick={() => {
          input.current?.click();
        }}
      >
        <span class="cut">{t('options.add.files')}</span>
      </Button>
      {files.length > 0 && (
        <ul aria-label={name}>
          {files.map((file, index) => (
            <li key={`${index} ${file.name}`}>
              <span class="cut" title={file.name}>
                {file.name}
              </span>
              <span class="option-file-size">{size(file.size)}</span>
              <IconButton
                icon={X}
                label={t('options.remove.file', { name: file.name })}
                onClick={() => {
                  onFiles(files.filter((_, other) => other !== index));
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </span>
  );
}

interface FileInputProps {
  readonly field: RefObject<HTMLInputElement>;
  readonly name: string;
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** The hidden field that opens the file dialog. It is emptied after each choice, so that the same file can be chosen again. */
function FileInput({ field, name, multiple = false, onFiles }: FileInputProps) {
  return (
    <input
      ref={field}
      type="file"
      hidden
      multiple={multiple}
      aria-label={name}
      onChange={({ currentTarget }) => {
        const chosen = [...(currentTarget.files ?? [])];
        if (chosen.length > 0) onFiles(chosen);
        currentTarget.value = '';
      }}
    />
  );
}
