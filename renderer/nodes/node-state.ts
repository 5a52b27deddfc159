/** Text and colour of the state of a node. */
import type { NodeView } from '../../main/console/contract.ts';
import { t } from '../texts/text.ts';

interface NodeBadge {
  readonly text: string;
  readonly tone: 'good' | 'error' | 'warning';
}

/** A node that sends no heartbeats comes first, because the rest may be outdated; then what an operator has asked for. */
export function nodeBadge({ silentMs, isDraining, running, problem }: NodeView): NodeBadge {
  if (silentMs !== undefined)
    return { text: t('nodes.state.silent', { seconds: Math.round(silentMs / 1000) }), tone: 'error' };
  if (isDraining)
    return { text: t(running === 0 ? 'nodes.state.drained' : 'nodes.state.draining'), tone: 'warning' };
  if (problem !== undefined) return { text: t('nodes.state.problem'), tone: 'error' };
  return { text: t('nodes.state.running'), tone: 'good' };
}
