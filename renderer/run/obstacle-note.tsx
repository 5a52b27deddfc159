/** Shows what prevents a run, with a link to it. */
import { CircleAlert } from 'lucide-preact';
import { wrongOptions } from '../call/call.ts';
import { obstacle, type Obstacle } from '../call/obstacle.ts';
import { t } from '../texts/text.ts';
import { callTab, showOption } from '../views/try-tabs.ts';

export function ObstacleNote() {
  const why = obstacle.value;
  if (why === undefined) return null;
  const says = obstacleText(why);
  if (!leads(why))
    return (
      <span class="run-summary cut" title={says} role="status">
        {says}
      </span>
    );
  return (
    <button
      type="button"
      class="run-obstacle cut"
      title={says}
      onClick={() => {
        overcome(why);
      }}
    >
      <CircleAlert size={14} aria-hidden="true" />
      <span class="cut">{says}</span>
    </button>
  );
}

export function obstacleText(why: Obstacle): string {
  return t(`run.obstacle.${why}`, { count: wrongOptions.value.length });
}

/** Goes to the place where the user can fix it. */
export function overcome(why: Obstacle): void {
  const [first] = wrongOptions.value;
  if (why === 'options' && first !== undefined) showOption(first);
  else if (leads(why)) callTab.value = 'input';
}

function leads(why: Obstacle): boolean {
  return ['input', 'address', 'tooLarge', 'options'].includes(why);
}
