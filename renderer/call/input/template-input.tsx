/** The template input: a template, its data, and the mismatches between the two. */
import { CircleCheck, FileBraces, Plus, ReceiptText, TriangleAlert } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { dataRows } from '../../../main/job/options/input.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Segments } from '../../parts/choice.tsx';
import { Empty } from '../../parts/empty.tsx';
import { t } from '../../texts/text.ts';
import { data, options, setOption, template } from '../call.ts';
import { Editor } from '../editor/editor.tsx';
import { editorOpened } from './file-source.ts';
import { sampleData, sampleTemplate } from './samples.ts';
import {
  dataMarks,
  isComparedAsJson,
  templateComparison,
  shownFormat,
  templateMarks,
  selectedRange,
} from './template-marks.ts';
import { addMissing } from '../template/template-names.ts';

export function TemplateInput() {
  const [focus, setFocus] = useState(false);
  if (template.value === '' && data.value === '' && !editorOpened.value.template)
    return (
      <EmptyTemplate
        onStart={() => {
          setFocus(true);
          editorOpened.value = { ...editorOpened.value, template: true };
        }}
      />
    );
  return (
    <div class="input-pair">
      <section class="input-editor" aria-label={t('input.template.label')}>
        <div class="input-bar">
          <span class="input-bar-name">{t('input.template.label')}</span>
          <span class="view-head-space" />
          <IconButton icon={ReceiptText} label={t('input.template.sample')} onClick={insertSample} />
        </div>
        <Editor
          name="template"
          label={t('input.template.label')}
          text={template}
          syntax="html"
          placeholder={t('input.template.placeholder')}
          marks={templateMarks.value}
          selectRange={selectedRange}
          focus={focus}
        />
      </section>
      <section class="input-editor" aria-label={t('input.data.label')}>
        <DataBar />
        <Editor
          name="data"
          label={t('input.data.label')}
          text={data}
          syntax={isComparedAsJson.value ? 'json' : shownFormat.value === 'xml' ? 'html' : 'plain'}
          placeholder={t('input.data.placeholder')}
          marks={dataMarks.value}
        />
        <MissingValues />
      </section>
    </div>
  );
}

function insertSample(): void {
  template.value = sampleTemplate;
  data.value = sampleData;
  setOption('data_format', undefined);
}

const formats = ['auto', 'json', 'yaml', 'xml', 'csv'] as const;

function DataBar() {
  const dataFormat = options.value.get('data_format') ?? dataRows.data_format.default;
  return (
    <div class="input-bar">
      <span class="input-bar-name">{t('input.data.label')}</span>
      <span class="view-head-space" />
      <Segments
        label={t('input.data.format')}
        choices={formats.map((value) => ({ value, label: t(`input.data.format.${value}`) }))}
        value={formats.find((format) => format === dataFormat) ?? 'auto'}
        onChoose={(format) => {
          setOption('data_format', format);
        }}
      />
    </div>
  );
}

/** Lists the values that the template needs and the data lacks. */
function MissingValues() {
  const comparison = templateComparison.value;
  if (template.value.trim() === '') return null;
  if (comparison === undefined)
    return (
      <p class="missing soft">{t(isComparedAsJson.value ? 'input.data.broken' : 'input.data.notJson')}</p>
    );
  const { missing, unused } = comparison;
  if (missing.length === 0)
    return (
      <p class="missing" role="status">
        <CircleCheck size={15} class="missing-good" aria-hidden="true" />
        {t('input.data.complete')}
        {unused.length > 0 && <span class="faint">{t('input.data.unused', { count: unused.length })}</span>}
      </p>
    );
  return (
    <div class="missing" data-tone="warning" role="status">
      <TriangleAlert size={15} aria-hidden="true" />
      <div class="missing-names">
        <strong>{t('input.data.missing', { count: missing.length })}</strong>
        {missing.slice(0, maxMissingShown).map(({ name, ranges }) => (
          <button
            type="button"
            key={name}
            class="missing-name mono cut"
            title={t('input.data.show', { name })}
            onClick={() => {
              selectedRange.value = ranges[0] && { ...ranges[0] };
            }}
          >
            {name}
          </button>
        ))}
        {missing.length > maxMissingShown && (
          <span>{t('input.data.more', { count: missing.length - maxMissingShown })}</span>
        )}
      </div>
      <Button
        icon={Plus}
        onClick={() => {
          data.value = addMissing(data.value, missing);
        }}
      >
        {t('input.data.add')}
      </Button>
    </div>
  );
}

const maxMissingShown = 12;

function EmptyTemplate({ onStart }: { readonly onStart: () => void }) {
  return (
    <Empty
      icon={FileBraces}
      title={t('input.template.empty.title')}
      actions={
        <>
          <Button
            icon={ReceiptText}
            onClick={() => {
              onStart();
              insertSample();
            }}
          >
            {t('input.template.startSample')}
          </Button>
          <Button onClick={onStart}>{t('input.template.write')}</Button>
        </>
      }
    >
      {t('input.template.empty.sentence')}
    </Empty>
  );
}
