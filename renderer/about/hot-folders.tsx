/** The state of each hot folder. Renders nothing if there are no hot folders or the account is not an operator. */
import type { HotFolderState, ConsoleState } from '../../main/console/contract.ts';
import { t } from '../texts/text.ts';
import { folderCounts, folderBadge } from './folder-status.ts';

export function HotFolders({ state: { hotFolders = [] } }: { readonly state: ConsoleState }) {
  if (hotFolders.length === 0) return null;
  return (
    <section class="card" aria-labelledby="hot-folders">
      <div class="card-head">
        <div class="about-text">
          <h2 id="hot-folders">{t('about.folders.title')}</h2>
          <p class="soft">{t('about.folders.sentence')}</p>
        </div>
      </div>
      <ul class="card-body about-folders">
        {hotFolders.map((folder) => (
          <Folder key={folder.path} folder={folder} />
        ))}
      </ul>
    </section>
  );
}

function Folder({ folder }: { readonly folder: HotFolderState }) {
  const { text, tone } = folderBadge(folder);
  return (
    <li>
      <div class="about-folder">
        <code dir="ltr">{folder.path}</code>
        <span class="badge" data-tone={tone}>
          {t(text)}
        </span>
        <span class="faint">{folderCounts(folder)}</span>
      </div>
      {folder.problem !== undefined && (
        <p class="soft">
          {t('about.folders.problem')}{' '}
          <span lang="en" dir="auto">
            {folder.problem}
          </span>
        </p>
      )}
    </li>
  );
}
