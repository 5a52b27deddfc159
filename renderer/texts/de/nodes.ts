/** German texts of the nodes that share a database. */
import type { nodes as english } from '../en/nodes.ts';

export const nodes: Readonly<Record<keyof typeof english, string>> = {
  'nodes.name': 'Name',
  'nodes.state': 'Zustand',
  'nodes.running': 'Laufende Aufträge',
  'nodes.windows': 'Fenster',
  'nodes.version': 'Version',
  'nodes.started': 'Gestartet',
  'nodes.actions': 'Aktionen',
  'nodes.this': 'dieser Knoten',
  'nodes.state.running': 'In Betrieb',
  'nodes.state.draining': 'Wird geleert',
  'nodes.state.drained': 'Geleert',
  'nodes.state.problem': 'Nimmt keine Aufträge an',
  'nodes.state.silent': 'Seit {seconds} s keine Antwort',
  'nodes.note':
    'Antwortet ein Knoten 20 Sekunden lang nicht, geben andere Knoten seine Aufträge und die dafür reservierten Credits frei, und der Knoten verschwindet aus dieser Liste.',
  'nodes.none': 'Keine Knoten',
  'nodes.none.sentence': 'Dieser Dienst teilt seine Konten nicht mit anderen Knoten.',
  'nodes.drain': 'Leeren',
  'nodes.drain.of': '{name} leeren',
  'nodes.drain.title': '{name} leeren?',
  'nodes.drain.sentence':
    'Der Knoten nimmt innerhalb von 5 Sekunden keine weiteren Aufträge mehr an und schließt die laufenden ab. Danach können Sie ihn beenden. Nach einem Neustart nimmt er wieder Aufträge an.',
  'nodes.drain.done': '{name} nimmt keine weiteren Aufträge an.',
  'nodes.undo': 'Leeren aufheben',
  'nodes.undo.of': 'Leeren von {name} aufheben',
  'nodes.undo.title': '{name} wieder Aufträge annehmen lassen?',
  'nodes.undo.sentence': 'Der Knoten nimmt innerhalb von 5 Sekunden wieder Aufträge an.',
  'nodes.undo.do': 'Aufträge annehmen',
  'nodes.undo.done': '{name} nimmt wieder Aufträge an.',
};
