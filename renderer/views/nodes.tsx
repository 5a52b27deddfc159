/** The "Nodes" view: the services that share the database, and draining. */
import { useEffect, useState } from 'preact/hooks';
import { ServerOff } from 'lucide-preact';
import type { NodeView } from '../../main/console/contract.ts';
import { FormDialog } from '../accounts/forms/form-dialog.tsx';
import { useBridge } from '../bridge/bridge.ts';
import { NodesTable } from '../nodes/nodes-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { showToast } from '../parts/toasts.tsx';
import { Loaded, useRequest } from '../parts/use-request.tsx';
import { t } from '../texts/text.ts';
import '../nodes/nodes.css';

/** As often as the nodes send heartbeats. */
const refreshIntervalMs = 5000;

export function NodesView() {
  const bridge = useBridge();
  const request = useRequest(() => bridge.call('nodes', {}), [bridge]);
  const [chosen, setChosen] = useState<NodeView>();
  const { reload } = request;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void reload();
    }, refreshIntervalMs);
    return () => {
      clearInterval(timer);
    };
  }, [reload]);
  return (
    <section class="view" aria-label={t('nav.nodes')}>
      <header class="view-head">
        <h1>{t('nav.nodes')}</h1>
        {request.value !== undefined && <span class="badge">{request.value.length}</span>}
      </header>
      <Loaded request={request}>
        {(nodes) =>
          nodes.length === 0 ? (
            <Empty icon={ServerOff} title={t('nodes.none')}>
              {t('nodes.none.sentence')}
            </Empty>
          ) : (
            <div class="nodes-list">
              <NodesTable nodes={nodes} onDrain={setChosen} />
              <p class="faint nodes-note">{t('nodes.note')}</p>
            </div>
          )
        }
      </Loaded>
      {chosen && (
        <DrainNode
          node={chosen}
          onClose={() => {
            setChosen(undefined);
          }}
          onChanged={reload}
        />
      )}
    </section>
  );
}

interface DrainNodeProps {
  readonly node: NodeView;
  readonly onClose: () => void;
  readonly onChanged: () => Promise<void>;
}

/** Asks before a node is drained, or before it accepts jobs again. */
function DrainNode({ node: { name, isDraining }, onClose, onChanged }: DrainNodeProps) {
  const bridge = useBridge();
  const change = async () => {
    await bridge.call('drainNode', { name, isDraining: !isDraining });
    showToast(t(isDraining ? 'nodes.undo.done' : 'nodes.drain.done', { name }));
    await onChanged();
  };
  return (
    <FormDialog
      title={t(isDraining ? 'nodes.undo.title' : 'nodes.drain.title', { name })}
      submitLabel={t(isDraining ? 'nodes.undo.do' : 'nodes.drain')}
      onClose={onClose}
      onSubmit={change}
    >
      <p>{t(isDraining ? 'nodes.undo.sentence' : 'nodes.drain.sentence')}</p>
    </FormDialog>
  );
}
