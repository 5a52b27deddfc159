/** The file input: an HTML file, an archive or, in the tray window, a folder. */
import {
  CircleAlert,
  Eye,
  FileArchive,
  FileCode2,
  FileQuestionMark,
  FolderOpen,
  SquarePen,
  Upload,
  X,
} from 'lucide-preact';
import { useBridge, type Bridge } from '../../bridge/bridge.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { showToast } from '../../parts/toasts.tsx';
import { service } from '../../state/service-state.ts';
import { size, t } from '../../texts/text.ts';
import { file, type FileSource } from '../call.ts';
import { fileKindOf } from './file-kind.ts';
import { setFileInput, nameOf, openInEditor } from './file-source.ts';
import { isTooLarge } from '../blocker.ts';
import { pickFile } from './pick-file.ts';
import { messageOf } from '../../../main/failure/failure.ts';

const acceptedExtensions = '.html,.htm,.xhtml,.zip,.tar,.gz,.tgz,.bz2';

export function FileInput() {
  const bridge = useBridge();
  const source = file.value;
  return (
    <div class="input-form">
      {source !== undefined && <SelectedFile bridge={bridge} source={source} />}
      <div class="drop-zone" data-small={source === undefined ? undefined : ''}>
        <Upload size={source === undefined ? 30 : 20} strokeWidth={1.5} aria-hidden="true" />
        <h2>{t(source === undefined ? 'input.file.drop' : 'input.file.dropAnother')}</h2>
        {source === undefined && <p>{t('input.file.sentence')}</p>}
        <ChooseButtons bridge={bridge} isFirst={source === undefined} />
        {service.value !== undefined && (
          <p class="faint">{t('input.file.limit', { size: size(service.value.maxUpload) })}</p>
        )}
      </div>
    </div>
  );
}

function ChooseButtons({ bridge, isFirst }: { readonly bridge: Bridge; readonly isFirst: boolean }) {
  const { native } = bridge;
  const choose = async () => {
    const source = await pickFile(bridge, acceptedExtensions);
    if (source !== undefined) setFileInput(source);
  };
  const chooseFolder = async () => {
    const picked = await native?.choose('folder');
    if (picked !== undefined) setFileInput({ kind: 'disk', picked });
  };
  return (
    <div class="row">
      <Button icon={FileCode2} onClick={() => void runWithToast(choose)}>
        {t(isFirst ? 'input.file.choose' : 'input.file.replace')}
      </Button>
      {native !== undefined && (
        <Button icon={FolderOpen} onClick={() => void runWithToast(chooseFolder)}>
          {t('input.file.chooseFolder')}
        </Button>
      )}
    </div>
  );
}

function SelectedFile({ bridge, source }: { readonly bridge: Bridge; readonly source: FileSource }) {
  const name = nameOf(source);
  const isFolder = source.kind === 'disk' && source.picked.kind === 'folder';
  const kind = fileKindOf(name);
  const Icon = isFolder ? FolderOpen : icons[kind];
  const facts = [
    ...(source.kind === 'upload' ? [size(source.file.size)] : []),
    t(isFolder ? 'input.file.kind.folder' : `input.file.kind.${kind}`),
  ];
  return (
    <div class="card selected-file" role="group" aria-label={name}>
      <Icon size={26} strokeWidth={1.5} aria-hidden="true" />
      <div class="selected-file-text">
        <p class="selected-file-name cut" title={name}>
          {name}
        </p>
        <p class="soft">{facts.join(' · ')}</p>
        <FileNotes source={source} kind={isFolder ? 'folder' : kind} />
        <div class="selected-file-actions">
          {kind === 'html' && !isFolder && (
            <Button icon={SquarePen} onClick={() => void runWithToast(() => openInEditor(bridge, source))}>
              {t('input.file.edit')}
            </Button>
          )}
        </div>
      </div>
      <IconButton
        icon={X}
        label={t('input.file.remove')}
        onClick={() => {
          file.value = undefined;
        }}
      />
    </div>
  );
}

const icons = {
  html: FileCode2,
  archive: FileArchive,
  data: FileQuestionMark,
  other: FileQuestionMark,
} as const;

function FileNotes({ source, kind }: { readonly source: FileSource; readonly kind: string }) {
  return (
    <>
      {source.kind === 'disk' && (
        <p class="selected-file-note soft">
          <Eye size={14} aria-hidden="true" />
          {t('input.file.watched')}
        </p>
      )}
      {(kind === 'data' || kind === 'other') && (
        <p class="selected-file-note" data-tone="warning">
          <CircleAlert size={14} aria-hidden="true" />
          {t('input.file.unexpected')}
        </p>
      )}
      {isTooLarge.value && (
        <p class="selected-file-note" data-tone="error" role="alert">
          <CircleAlert size={14} aria-hidden="true" />
          {t('input.file.tooLarge', { size: size(service.value?.maxUpload ?? 0) })}
        </p>
      )}
    </>
  );
}

async function runWithToast(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (problem) {
    showToast(messageOf(problem), 'error');
  }
}
