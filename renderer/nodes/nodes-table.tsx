/** The table of nodes, with a button for each that drains the node or undoes it. */
import type { NodeView } from '../../main/console/contract.ts';
import { Button } from '../parts/button.tsx';
import { moment, number, t } from '../texts/text.ts';
import { nodeBadge } from './node-state.ts';

interface NodesTableProps {
  readonly nodes: readonly NodeView[];
  /** Called when the operator wants to drain a node, or to undo it. */
  readonly onDrain: (node: NodeView) => void;
}

export function NodesTable({ nodes, onDrain }: NodesTableProps) {
  return (
    <table class="table nodes-table">
      <thead>
        <tr>
          <th scope="col">{t('nodes.name')}</th>
          <th scope="col">{t('nodes.state')}</th>
          <th scope="col" class="end nodes-running">
            {t('nodes.running')}
          </th>
          <th scope="col" class="end nodes-windows">
            {t('nodes.windows')}
          </th>
          <th scope="col" class="nodes-version">
            {t('nodes.version')}
          </th>
          <th scope="col" class="nodes-started">
            {t('nodes.started')}
          </th>
          <th scope="col">
            <span class="visually-hidden">{t('nodes.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {nodes.map((node) => (
          <Row key={node.id} node={node} onDrain={onDrain} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ node, onDrain }: { readonly node: NodeView; readonly onDrain: NodesTableProps['onDrain'] }) {
  const { text, tone } = nodeBadge(node);
  return (
    <tr>
      <td class="nodes-name">
        <bdi>{node.name}</bdi> {node.isThis && <span class="badge">{t('nodes.this')}</span>}
      </td>
      <td>
        <span class="badge" data-tone={tone}>
          {text}
        </span>
        {node.problem !== undefined && node.silentMs === undefined && (
          <p class="faint nodes-problem" lang="en" dir="auto">
            {node.problem}
          </p>
        )}
      </td>
      <td class="end nodes-running">{number(node.running)}</td>
      <td class="end nodes-windows">{number(node.windows)}</td>
      <td class="nodes-version">{node.version}</td>
      <td class="nodes-started">{moment(node.started)}</td>
      <td class="end">
        <Button
          aria-label={t(node.isDraining ? 'nodes.undo.of' : 'nodes.drain.of', { name: node.name })}
          onClick={() => {
            onDrain(node);
          }}
        >
          {t(node.isDraining ? 'nodes.undo' : 'nodes.drain')}
        </Button>
      </td>
    </tr>
  );
}
